/** The limit of all warnings of a response in characters. Beyond it, each is cut to `itemLimit`, and the rest is dropped. */
const totalLimit = 4 * 1024
const itemLimit = 256

const controlCharacters = /\p{Cc}/u

function bounded(warnings: readonly string[]): readonly string[] {
  if (Array.from(warnings.join('')).length <= totalLimit) return warnings
  let written = 0
  const kept: string[] = []
  for (const warning of warnings) {
    if (written >= totalLimit) break
    const characters = Array.from(warning).slice(0, itemLimit)
    written += characters.length
    kept.push(characters.join(''))
  }
  return kept
}

/** 299 is a persistent warning, `-` stands for the agent (RFC 7234). */
function headerValue(warning: string): string {
  return `299 - "${warning.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`
}

/**
 * The value of the `Warning` header, each text once; `undefined` for no warnings. Its size is limited as in kube-apiserver, and
 * texts with control characters are dropped. The UTF-8 bytes are Latin-1 characters, as in every header.
 * Source: apiserver pkg/endpoints/filters/warning.go, apimachinery pkg/util/net NewWarningHeader.
 */
export function warningHeader(warnings: readonly string[]): string | undefined {
  const texts = [...new Set(warnings)].filter(
    (warning) => warning !== '' && !controlCharacters.test(warning),
  )
  if (texts.length === 0) return undefined
  const value = bounded(texts).map(headerValue).join(', ')
  return String.fromCharCode(...new TextEncoder().encode(value))
}
