/** A chat component of React, and a test that looks at it in the middle of an answer. */

/** Without JSX, so that nothing has to be transformed. */
export const chatComponent = `import { createElement as h, useState } from 'react'

/** A chat with one model: it shows what has come so far, and whether more is coming. */
export function Chat({ ask }) {
  const [messages, setMessages] = useState([])
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    setMessages((all) => [...all, { role: 'user', text: 'hello' }, { role: 'assistant', text: '' }])
    for await (const text of ask('hello')) {
      setMessages((all) => [...all.slice(0, -1), { role: 'assistant', text: all.at(-1).text + text }])
    }
    setBusy(false)
  }
  return h('main', null,
    h('ol', null, messages.map(({ role, text }, index) => h('li', { key: index, 'data-role': role }, text))),
    busy && h('p', { role: 'status' }, 'writing …'),
    h('button', { onClick: send, disabled: busy }, 'Send'))
}
`

export const chatTest = `// @vitest-environment happy-dom
// @vitest-environment-options { "settings": { "fetch": { "disableSameOriginPolicy": true } } }
import { expect } from 'vitest'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { test } from 'turntape/vitest'
import { post } from '../client.js'
import { Chat } from '../src/chat.js'

async function* ask(text) {
  const response = await post([{ role: 'user', content: text }], { stream: true, switches: 'words=40,gap=4' })
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    for (const event of chunk.split('\\n\\n')) {
      if (event.startsWith('data: {')) yield JSON.parse(event.slice(6)).choices[0].delta.content ?? ''
    }
  }
}

test('shows half an answer, then the whole', async ({ tape }) => {
  document.body.innerHTML = '<div id="root"></div>'
  const root = createRoot(document.getElementById('root'))
  root.render(createElement(Chat, { ask }))
  await expect.poll(() => document.querySelector('button')).toBeTruthy()

  const s = tape.hold()
  const answer = () => document.querySelector('li:last-child').textContent
  document.querySelector('button').click()
  const half = await s.next('text', 2)
  expect(answer()).toBe(half.text)
  expect(document.querySelector('[role=status]').textContent).toBe('writing …')
  expect(document.querySelector('button').disabled).toBe(true)

  const more = await s.next('text')
  expect(answer()).toBe(more.text)
  expect(more.text.length).toBeGreaterThan(half.text.length)

  s.release()
  await expect.poll(() => document.querySelector('[role=status]')).toBeNull()
  expect(answer()).toBe('word '.repeat(40).trimEnd())
  root.unmount()
})
`
