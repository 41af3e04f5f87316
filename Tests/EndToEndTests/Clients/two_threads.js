// Two sockets of node's ws library on two threads: each must receive its own messages only.
//   NODE_PATH=/usr/share/nodejs node two_threads.js PORT API_KEY TAG
'use strict';
const WebSocket = require('ws');
const http = require('http');
const [port, key, tag] = process.argv.slice(2);
const COUNT = 5;

function post(query, variables) {
  const body = JSON.stringify({ query, variables });
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port, path: '/graphql', method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'x-api-key': key } },
      (response) => {
        let text = '';
        response.on('data', (part) => { text += part; });
        response.on('end', () => {
          const answer = JSON.parse(text);
          if (answer.errors) reject(new Error(text)); else resolve(answer.data);
        });
      });
    request.on('error', reject);
    request.end(body);
  });
}

// Resolves when the subscription is live: the pong to a ping sent behind the subscribe proves it.
function subscribe(thread, received) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
    socket.on('error', reject);
    socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { 'x-api-key': key } })));
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString());
      if (message.type === 'connection_ack') {
        socket.send(JSON.stringify({
          id: 'é-1', type: 'subscribe',
          payload: { query: 'subscription($t: ID!) { onCreateMessage(messageThreadId: $t) { id body } }', variables: { t: thread } } }));
        socket.send(JSON.stringify({ type: 'ping' }));
      } else if (message.type === 'pong') {
        resolve(socket);
      } else if (message.type === 'next' && message.id === 'é-1') {
        received.push(message.payload.data.onCreateMessage.body);
      } else {
        reject(new Error('unexpected ' + data));
      }
    });
  });
}

async function main() {
  const threads = [`${tag}-one`, `${tag}-two`];
  const inboxes = [[], []];
  const sockets = await Promise.all(threads.map((t, i) => subscribe(t, inboxes[i])));
  for (let n = 0; n < COUNT; n++) {
    for (const t of threads) {
      await post('mutation($i: CreateMessageInput!) { createMessage(input: $i) { id } }',
        { i: { body: `${t} ${n}`, messageThreadId: t, messageAuthorId: 'nobody' } });
    }
  }
  for (let turn = 0; turn < 400 && inboxes.some((i) => i.length < COUNT); turn++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  threads.forEach((t, i) => {
    const wanted = Array.from({ length: COUNT }, (_, n) => `${t} ${n}`);
    if (JSON.stringify(inboxes[i]) !== JSON.stringify(wanted)) {
      throw new Error(`${t} received ${JSON.stringify(inboxes[i])}`);
    }
  });
  sockets.forEach((s) => s.close());
  console.log(`ws: ${COUNT} messages on each of two threads, none astray`);
}

main().then(() => process.exit(0), (error) => { console.error(error.message); process.exit(1); });
