// undici's Client with its method `request`, which only the index of undici adds, with much else.
const Dispatcher = require('undici/lib/dispatcher/dispatcher.js');

Dispatcher.prototype.request = require('undici/lib/api/api-request.js');

module.exports = require('undici/lib/dispatcher/client.js');
