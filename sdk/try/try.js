/* global Peyk */
const element = (id) => document.getElementById(id)
const { appId, clientKey } = await (await fetch('/try/app.json')).json()
const peyk = new Peyk({
  appId,
  clientKey,
  baseUrl: location.origin,
  serviceWorker: '/sdk/peyk-sw.js',
  serviceWorkerScope: '/try',
})

peyk.on('connection', ({ state, reason }) => {
  showConnection(state)
  log(`connection: ${state}${reason ? `, ${reason}` : ''}`)
})
peyk.on('message', (message) => {
  log(`message: ${message.content}`)
  showInbox()
})
peyk.on('notification', ({ notification, shownBy }) =>
  log(`notification: ${notification.title}, ${shownWords[shownBy]}`),
)
peyk.onNotificationOpen(({ kind, actionId }) => {
  log(`notification ${kind}${actionId ? `: ${actionId}` : ''}`)
})

const shownWords = {
  library: 'shown',
  app: 'shown by the app itself',
  nobody: 'not shown: press "Allow notifications"',
}
const acts = {
  track: () => peyk.track('AddToCart', { item: 'shoes', value: 59.9 }),
  purchase: () => peyk.trackPurchase('BoughtShoes', { revenue: 59.9, currency: 'EUR' }),
  tag: () => peyk.addTag('vip'),
  attribute: () => peyk.increment('points'),
  channel: () => peyk.subscribe('public/news'),
}

element('login').addEventListener('submit', (event) => {
  event.preventDefault()
  const { userId } = Object.fromEntries(new FormData(event.target))
  run(`log in as ${userId}`, () => peyk.login(userId))
})
element('logout').addEventListener('click', () => run('log out', () => peyk.logout()))
element('enable').addEventListener('click', () =>
  run('allow notifications', async () => {
    const { state, reason } = await peyk.enableWebPush()
    return reason ? `${state}: ${reason}` : state
  }),
)
element('send').addEventListener('submit', (event) => {
  event.preventDefault()
  const { content, withButtons } = Object.fromEntries(new FormData(event.target))
  run('send', () => sendToMyself(content, withButtons !== undefined))
})
for (const button of document.querySelectorAll('[data-do]')) {
  button.addEventListener('click', () => run(button.textContent, acts[button.dataset.do]))
}

await run('register this browser', () => peyk.register().then(() => 'done'))
showConnection(peyk.connection.state)

async function run(what, act) {
  try {
    const answer = await act()
    log(`${what}: ${typeof answer === 'string' ? answer : 'done'}`)
  } catch (error) {
    log(`${what}: ${error.message}`)
  }
  showWho()
  showInbox()
}

async function sendToMyself(content, withButtons) {
  const body = JSON.stringify({ user: peyk.userId, content, withButtons })
  const answer = await fetch('/try/send', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { id, count, error } = await answer.json()
  if (error) throw new Error(error.message)
  return `message ${id}, to ${count} ${count === 1 ? 'device' : 'devices'}`
}

function showConnection(state) {
  element('connection').dataset.state = state
  element('connection').textContent = state
}

function showWho() {
  const user = peyk.userId ?? '…'
  element('user').textContent = user
  element('installation').textContent = peyk.installationId ?? '…'
  element('permission').textContent = 'Notification' in window ? Notification.permission : 'not supported'
  element('curl').textContent = [
    `TOKEN=$(node -p "require('./.peyk/demo.json').accessToken")`,
    `curl "${location.origin}/api/push/toUsers?access_token=$TOKEN" -H 'Content-Type: application/json' \\`,
    `  -d '{ "user": "${user}", "content": "Hello" }'`,
  ].join('\n')
}

async function showInbox() {
  const messages = await peyk.inbox()
  element('inbox').replaceChildren(...messages.map(showMessage))
}

function showMessage({ id, content, createdAt, isRead }) {
  const text = document.createElement('span')
  text.textContent = `${new Date(createdAt).toLocaleTimeString()}  ${content}`
  const item = document.createElement('li')
  item.append(text)
  item.classList.toggle('unread', !isRead)
  if (isRead) return item
  const button = document.createElement('button')
  button.textContent = 'Mark as read'
  button.addEventListener('click', () => run('mark as read', () => peyk.markAsRead(id)))
  item.append(button)
  return item
}

function log(text) {
  const item = document.createElement('li')
  item.textContent = `${new Date().toLocaleTimeString()}  ${text}`
  element('log').prepend(item)
}
