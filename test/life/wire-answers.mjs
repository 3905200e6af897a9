// @ts-check
/**
 * One answer in the form of each provider, whole or as the events of a stream. Ids and dates are the caller's, so that
 * a server can make new ones each time and a page can print the same ones for ever.
 */

/** @typedef {'chat' | 'responses' | 'anthropic' | 'gemini'} WireName */
/** @typedef {{ name: string, input: Record<string, string> }} Call */
/** @typedef {{ model: string, text: string, calls: readonly Call[], newId: (prefix: string) => string, createdAt: number }} Answer */

/** The body of the answer as one value. @param {WireName} wire @param {Answer} answer @returns {object} */
export function wholeAnswer(wire, answer) {
  return forms[wire].whole(answer)
}

/** The body of the answer as the texts of its events. @param {WireName} wire @param {Answer} answer @returns {string[]} */
export function streamedAnswer(wire, answer) {
  return forms[wire].stream(answer)
}

const forms = {
  chat: { whole: chatWhole, stream: chatStream },
  responses: { whole: responsesWhole, stream: responsesStream },
  anthropic: { whole: anthropicWhole, stream: anthropicStream },
  gemini: { whole: geminiWhole, stream: geminiStream },
}

/** @param {string} text */
function wordsOf(text) {
  return text.match(/\S+\s*/g) ?? []
}

/** @param {Call} call */
function piecesOf({ input }) {
  return JSON.stringify(input).match(/.{1,7}/g) ?? []
}

/** @param {object} data */
function unnamed(data) {
  return `data: ${JSON.stringify(data)}\n\n`
}

/** @param {{ type: string }} data */
function named(data) {
  return `event: ${data.type}\n${unnamed(data)}`
}

/** @param {Answer} answer */
function chatHead({ model, newId, createdAt }) {
  return { id: newId('chatcmpl-'), created: createdAt, model }
}

/** @param {Answer} answer */
function chatCalls({ calls, newId }) {
  return calls.map(({ name, input }) => ({
    id: newId('call_'),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
}

/** @param {Answer} answer */
function chatFinish({ calls }) {
  return calls.length === 0 ? 'stop' : 'tool_calls'
}

const chatUsage = { prompt_tokens: 40, completion_tokens: 9, total_tokens: 49 }

/** @param {Answer} answer */
function chatWhole(answer) {
  const tools = chatCalls(answer)
  const message = { role: 'assistant', content: answer.text, ...(tools.length > 0 && { tool_calls: tools }) }
  const choices = [{ index: 0, message, finish_reason: chatFinish(answer) }]
  return { ...chatHead(answer), object: 'chat.completion', choices, usage: chatUsage }
}

/** @param {Answer} answer */
function chatStream(answer) {
  const head = { ...chatHead(answer), object: 'chat.completion.chunk' }
  const deltas = [
    { role: 'assistant', content: '' },
    ...wordsOf(answer.text).map((content) => ({ content })),
    ...chatCalls(answer).flatMap((call, index) => [
      { tool_calls: [{ index, ...call, function: { ...call.function, arguments: '' } }] },
      ...piecesOf(/** @type {Call} */ (answer.calls[index])).map((piece) => ({
        tool_calls: [{ index, function: { arguments: piece } }],
      })),
    ]),
  ]
  return [
    ...deltas.map((delta) => unnamed({ ...head, choices: [{ index: 0, delta, finish_reason: null }] })),
    unnamed({ ...head, choices: [{ index: 0, delta: {}, finish_reason: chatFinish(answer) }] }),
    unnamed({ ...head, choices: [], usage: chatUsage }),
    'data: [DONE]\n\n',
  ]
}

/** @param {Answer} answer */
function responsesItems({ text, calls, newId }) {
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }]
  const message = { id: newId('msg_'), type: 'message', status: 'completed', role: 'assistant', content }
  const asked = calls.map(({ name, input }) => ({
    id: newId('fc_'),
    type: 'function_call',
    status: 'completed',
    arguments: JSON.stringify(input),
    call_id: newId('call_'),
    name,
  }))
  return { message, asked }
}

/** @param {Answer} answer @param {{ status: string, output: readonly object[] }} state */
function responsesHead({ model, newId, createdAt }, { status, output }) {
  const usage = {
    input_tokens: 40,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 9,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 49,
  }
  const common = { object: 'response', created_at: createdAt, status, error: null, model, output, tool_choice: 'auto' }
  return { id: newId('resp_'), ...common, parallel_tool_calls: true, usage: status === 'completed' ? usage : null }
}

/** @param {Answer} answer */
function responsesWhole(answer) {
  const { message, asked } = responsesItems(answer)
  return responsesHead(answer, { status: 'completed', output: [message, ...asked] })
}

/** @param {Answer} answer */
function responsesStream(answer) {
  const { message, asked } = responsesItems(answer)
  const started = responsesHead(answer, { status: 'in_progress', output: [] })
  const { id: item_id } = message
  const [part] = message.content
  const place = { item_id, output_index: 0, content_index: 0 }
  const emptyPart = { ...part, text: '' }
  const events = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    { type: 'response.output_item.added', output_index: 0, item: { ...message, status: 'in_progress', content: [] } },
    { type: 'response.content_part.added', ...place, part: emptyPart },
    ...wordsOf(answer.text).map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...place, text: answer.text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
    { type: 'response.output_item.done', output_index: 0, item: message },
    ...asked.flatMap((item, index) => {
      const where = { item_id: item.id, output_index: index + 1 }
      return [
        {
          type: 'response.output_item.added',
          output_index: index + 1,
          item: { ...item, status: 'in_progress', arguments: '' },
        },
        ...piecesOf(/** @type {Call} */ (answer.calls[index])).map((delta) => ({
          type: 'response.function_call_arguments.delta',
          ...where,
          delta,
        })),
        { type: 'response.function_call_arguments.done', ...where, arguments: item.arguments },
        { type: 'response.output_item.done', output_index: index + 1, item },
      ]
    }),
    {
      type: 'response.completed',
      response: { ...responsesHead(answer, { status: 'completed', output: [message, ...asked] }), id: started.id },
    },
  ]
  return events.map(({ type, ...rest }, index) => named({ type, ...{ sequence_number: index }, ...rest }))
}

/** @param {Answer} answer */
function anthropicWhole({ model, text, calls, newId }) {
  const content = [
    { type: 'text', text },
    ...calls.map(({ name, input }) => ({ type: 'tool_use', id: newId('toolu_'), name, input })),
  ]
  return {
    ...{ id: newId('msg_'), type: 'message', role: 'assistant', model, content },
    ...{ stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use', stop_sequence: null },
    usage: { input_tokens: 40, output_tokens: 9 },
  }
}

/** Pads its events with blanks, as the API does. @param {Answer} answer */
function anthropicStream(answer) {
  const { content, stop_reason, ...head } = anthropicWhole(answer)
  const start = { ...head, content: [], stop_reason: null, usage: { input_tokens: 40, output_tokens: 1 } }
  const blocks = content.flatMap((block, index) => {
    const isText = block.type === 'text'
    const deltas = isText
      ? wordsOf(answer.text).map((text) => ({ type: 'text_delta', text }))
      : piecesOf(/** @type {Call} */ (answer.calls[index - 1])).map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        }))
    return [
      { type: 'content_block_start', index, content_block: isText ? { ...block, text: '' } : { ...block, input: {} } },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]
  })
  const events = [
    { type: 'message_start', message: start },
    { type: 'ping' },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ]
  return events.map((event, index) => named(event).replace(/\}\n\n$/, `${' '.repeat((index * 7) % 13)}}\n\n`))
}

/** @param {Answer} answer @param {readonly object[]} parts @param {string} [finishReason] */
function geminiResponse({ model, newId }, parts, finishReason) {
  return {
    candidates: [{ content: { parts, role: 'model' }, ...(finishReason && { finishReason }), index: 0 }],
    usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 9, totalTokenCount: 49 },
    ...{ modelVersion: model, responseId: newId('') },
  }
}

/** @param {Answer} answer */
function geminiParts({ text, calls }) {
  return [{ text }, ...calls.map(({ name, input: args }) => ({ functionCall: { name, args } }))]
}

/** @param {Answer} answer */
function geminiWhole(answer) {
  return geminiResponse(answer, geminiParts(answer), 'STOP')
}

/** @param {Answer} answer */
function geminiStream(answer) {
  const id = answer.newId('')
  const same = { ...answer, newId: () => id }
  const [, ...calls] = geminiParts(answer)
  const texts = wordsOf(answer.text).map((text) => [{ text }])
  const parts = [...texts, ...(calls.length > 0 ? [calls] : [])]
  return parts.map((some, index) => {
    const event = geminiResponse(same, some, index === parts.length - 1 ? 'STOP' : undefined)
    return `data: ${JSON.stringify(event)}\r\n\r\n`
  })
}
