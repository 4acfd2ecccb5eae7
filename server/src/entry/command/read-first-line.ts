/** For secrets, which other users of the machine could see on the command line. */
export async function readFirstLine(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk
    if (text.includes('\n') || text.length > 10_000) break
  }
  return text.split(/\r?\n/, 1)[0] as string
}
