// GraphiQL, the IDE, with its own React in a page of jsdom, asks a running hub.
//
//     node graphiql.js PORT FOLDER      FOLDER has the scripts: graphiql, react, react-dom
//
// The page's own introspection must give a schema, the explorer must show it, the editor must mark
// a wrong field by it, and the button must run a query. Prints one line and exits with 0 if so.
'use strict';
const fs = require('fs');
const path = require('path');
const { JSDOM, VirtualConsole } = require('jsdom');

const [port, folder] = process.argv.slice(2);
const url = `http://127.0.0.1:${port}/graphql`;
const complaints = [];

function fail(sentence) {
  console.error([sentence, ...complaints].join('\n'));
  process.exit(1);
}

async function until(what, question) {
  for (let tries = 0; tries < 400; tries += 1) {
    const answer = question();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return fail(`GraphiQL did not come to: ${what}`);
}

// What a browser has and jsdom has not: a screen to measure, and the encodings.
function addBrowser(window) {
  Object.assign(window, { TextDecoder, TextEncoder });
  const nothing = { left: 0, right: 0, top: 0, bottom: 0, width: 0, height: 0 };
  window.Range.prototype.getBoundingClientRect = () => nothing;
  window.Range.prototype.getClientRects = () => [];
  window.document.queryCommandSupported = () => false;
  window.matchMedia = () => ({ matches: false, addListener() {}, removeListener() {} });
}

function script(prefix) {
  const name = fs.readdirSync(folder).find((file) => file.startsWith(prefix) && file.endsWith('.js'));
  return fs.readFileSync(path.join(folder, name || fail(`no ${prefix} in ${folder}`)), 'utf8');
}

async function main() {
  const virtualConsole = new VirtualConsole();
  virtualConsole.on('jsdomError', (error) => complaints.push(String(error)));
  virtualConsole.on('error', (...words) => complaints.push(words.join(' ')));
  const page = new JSDOM('<!doctype html><div id="ide"></div>', {
    runScripts: 'outside-only', pretendToBeVisual: true, url, virtualConsole,
  });
  const { window } = page;
  addBrowser(window);
  for (const name of ['react.', 'react-dom.', 'graphiql.']) window.eval(script(name));

  const asked = [];
  const fetcher = async (parameters) => {
    asked.push(parameters.query);
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(parameters),
    });
    return response.json();
  };
  const { React, ReactDOM, GraphiQL, document } = window;
  let ide;
  ReactDOM.render(
    React.createElement(GraphiQL, {
      fetcher, docExplorerOpen: true, defaultQuery: '', ref: (it) => { ide = it; },
    }),
    document.getElementById('ide'));

  const schema = await until('a schema', () => ide && ide.state && ide.state.schema);
  if (asked.length !== 1) fail(`GraphiQL introspected ${asked.length} times, not once`);
  const types = Object.keys(schema.getTypeMap());
  for (const name of ['Thread', 'ModelThreadConnection', 'CreateThreadInput', 'AWSDateTime']) {
    if (!types.includes(name)) fail(`${name} is not in GraphiQL's schema`);
  }
  if (!schema.getSubscriptionType().getFields().onCreateMessage) fail('no onCreateMessage');

  // The explorer: from the roots to the fields of Query.
  const link = await until('the roots', () =>
    [...document.querySelectorAll('.doc-explorer a.type-name')]
      .find((element) => element.textContent === 'Query'));
  link.dispatchEvent(new window.MouseEvent('click', { bubbles: true }));
  await until('the fields of Query', () =>
    document.querySelector('.doc-explorer').textContent.includes('listThreads'));

  // The editor marks what the schema has not.
  const editor = ide.getQueryEditor();
  editor.setValue('{ listThreadz { nextToken } }');
  await until('a mark at the wrong field', () =>
    editor.getAllMarks().some((mark) => /lint-mark-error/.test(mark.className)));

  const query = 'query Q { listThreads(limit: 1) { items { id } nextToken __typename } }';
  editor.setValue(query);
  await until('the new query', () => ide.state.query === query);
  document.querySelector('.execute-button')
    .dispatchEvent(new window.MouseEvent('click', { bubbles: true }));
  const answer = await until('an answer', () => {
    const text = ide.state.response;
    return text && text.includes('"data"') && JSON.parse(text);
  });
  const list = answer.data && answer.data.listThreads;
  if (!list || list.__typename !== 'ModelThreadConnection') fail(JSON.stringify(answer));
  console.log(`GraphiQL shows ${types.length} types and answers`);
  process.exit(0);
}

main().catch((error) => fail(error.stack));
