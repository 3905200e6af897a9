/** The fenced blocks of a Markdown text. ```` ```ts agent.test.ts ````: the word after the language names the block. */
export interface CodeBlock {
  readonly language: string
  readonly name: string
  readonly text: string
}

export function codeBlocks(markdown: string): readonly CodeBlock[] {
  return [...markdown.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)].map(([, language = '', name = '', text = '']) => {
    return { language, name, text }
  })
}
