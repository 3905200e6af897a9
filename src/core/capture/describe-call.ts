/** One line for messages: method and URL without its query, and the model where the body names one. */
export function describeCall(method: string, url: string, model?: string): string {
  const plain = url.replace(/[?#].*$/s, '')
  const line = `${method} ${plain}`
  return model === undefined ? line : `${line} (${model})`
}

/** The model a JSON request body names at its top level. */
export function modelOf(body: unknown): string | undefined {
  const model: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'model') : undefined
  return typeof model === 'string' ? model : undefined
}
