const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001B',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
}

/** What `echo -e` of busybox and bash prints of a text, and whether `\\c` ended it. */
export function echoText(text: string): { readonly text: string; readonly isCut: boolean } {
  const end = /^(?:[^\\]|\\[^c])*?\\c/.exec(text)?.[0]
  const shown = (end?.slice(0, -2) ?? text).replaceAll(
    /\\(?:0([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(.))/g,
    (whole, octal: string | undefined, hex: string | undefined, letter: string | undefined) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255)
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      return escapes[letter ?? ''] ?? whole
    },
  )
  return { text: shown, isCut: end !== undefined }
}
