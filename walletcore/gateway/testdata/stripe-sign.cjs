// Signs webhooks with the official SDK's own helper. Usage:
//
//	node stripe-sign.cjs DIR < requests.json > headers.json
//
// DIR holds node_modules with the package stripe. A request is
// {"payload": text, "secret": text, "timestamp": seconds}; the answer has the
// Stripe-Signature header of each, in order.
const Stripe = require(require.resolve('stripe', { paths: [process.argv[2]] }));
const stripe = new Stripe('sk_test_unused');
const requests = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const headers = requests.map((request) => stripe.webhooks.generateTestHeaderString(request));
process.stdout.write(JSON.stringify(headers));
