#!/usr/bin/env bash
# Starts RabbitMQ, in its own image, with the users and rights of broker.json. `@NAME@` there stands for NAME's
# password. Given definitions, the broker makes no guest.
set -euo pipefail

definitions=$(</broker.json)
for name in admin casino gaming worker payouts; do
	password=${name^^}_PASSWORD
	definitions=${definitions//@$name@/${!password}}
done
printf '%s\n' "$definitions" >/etc/rabbitmq/definitions.json
echo 'load_definitions = /etc/rabbitmq/definitions.json' >/etc/rabbitmq/conf.d/20-definitions.conf
chown rabbitmq /etc/rabbitmq/definitions.json && chmod 0600 /etc/rabbitmq/definitions.json
exec docker-entrypoint.sh rabbitmq-server
