/** The blocks of one type in a PEM text, in order, without what is between them. `type`: CERTIFICATE, or the end of one like it. */
export function pemBlocks(text: string, type: 'CERTIFICATE' | 'PRIVATE KEY'): readonly string[] {
  const pattern = new RegExp(
    `-----BEGIN ((?:[A-Z]+ )?${type})-----[A-Za-z0-9+/=\\s]+-----END \\1-----`,
    'g',
  )
  return [...text.matchAll(pattern)].map(([block]) => `${block}\n`)
}
