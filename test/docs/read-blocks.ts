import { Lexer, type Token } from 'marked'

export interface Block {
  file: string
  /** Of its first line in the file. */
  line: number
  language: string
  code: string
  /** Why it cannot be run, if so. */
  notRun?: string
  /** Shell lines that bring about what the reader has by then. */
  before?: string
}

/**
 * The code blocks of a document. A comment before a block says what a reader need not see:
 * `<!-- not run: why -->` or `<!-- before: commands -->`.
 */
export function readBlocks(file: string, text: string, guess: (code: string) => string): Block[] {
  const blocks: Block[] = []
  let comment = ''
  let searched = 0
  const walk = (tokens: Token[]) => {
    for (const token of tokens) {
      if (token.type === 'html') comment = token.text
      else if (token.type === 'code') {
        searched = text.indexOf(token.text.split('\n')[0] as string, searched) + 1
        const line = text.slice(0, searched).split('\n').length
        blocks.push({ file, line, language: token.lang || guess(token.text), code: token.text, ...read(comment) })
        comment = ''
      } else if (token.type !== 'space') comment = ''
      if (token.type === 'list') for (const item of token.items) walk(item.tokens)
    }
  }
  walk(new Lexer().lex(text))
  return blocks
}

function read(comment: string): Pick<Block, 'notRun' | 'before'> {
  const [, notRun] = /^<!-- not run: (.*?) -->/s.exec(comment) ?? []
  const [, before] = /^<!-- before: (.*?) -->/s.exec(comment) ?? []
  return { ...(notRun && { notRun }), ...(before && { before }) }
}
