/**
 * A message of the YAML parser without the parts of the text that it quotes: it takes an unquoted password that begins with
 * `*`, `!` or `%` for an alias, a tag or a directive, and the message goes to the page, the log and recordings.
 */
export function yamlProblem(message: string): string {
  if (message.startsWith('Unresolved alias'))
    return 'An alias (*…) names an anchor that is not set before it; a text that begins with * must be quoted.'
  if (/^(Unresolved|Could not resolve|Not a valid|Verbatim|The) .*\b(tag|invalid)/s.test(message))
    return 'A tag (!…) is not known; a text that begins with ! must be quoted.'
  if (/^(Unknown directive|Unsupported YAML version)/.test(message))
    return 'A directive (%…) at the beginning of a line is not known.'
  if (message.startsWith('Invalid escape sequence'))
    return 'A text in double quotes has an escape sequence (\\…) that YAML does not know.'
  // The quote follows a colon: `Unexpected scalar token in YAML stream: "…"`.
  return message.replace(/(?<=[\w)]): .*$/s, '')
}
