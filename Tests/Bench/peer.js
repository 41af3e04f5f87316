// The same API on Debian's node-graphql, as small as it can be: node's own HTTP server, records in
// memory, resolvers that have their values at hand, no checks of requests.
//
//     NODE_PATH=/usr/share/nodejs node peer.js INTROSPECTION.json each|cached
//
// `each` runs what the package's own `graphql` function runs for each request, that is parse,
// validate and execute; `cached` keeps the documents parsed and validated, as the hub does.
'use strict';
const fs = require('fs');
const http = require('http');
const { buildClientSchema, parse, validate, executeSync, graphqlSync } = require('graphql');

const schema = buildClientSchema(JSON.parse(fs.readFileSync(process.argv[2])).data);
const isCached = process.argv[3] === 'cached';
const createdAt = '2026-01-01T00:00:00.000Z';
const threads = new Map([
  ['t1', { id: 't1', name: 'A thread of the benchmark', location: 'NG1', createdAt }],
]);
const rootValue = { getThread: ({ id }) => threads.get(id) ?? null };
const documents = new Map();

function prepare(query) {
  let document = documents.get(query);
  if (document) return document;
  document = parse(query);
  const errors = validate(schema, document);
  if (errors.length > 0) throw errors[0];
  documents.set(query, document);
  return document;
}

function answer({ query, variables }) {
  return isCached
    ? executeSync({ schema, document: prepare(query), rootValue, variableValues: variables })
    : graphqlSync({ schema, source: query, rootValue, variableValues: variables });
}

const server = http.createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = JSON.stringify(answer(JSON.parse(Buffer.concat(parts).toString())));
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  console.log(`listening http://127.0.0.1:${server.address().port}/graphql`);
});
