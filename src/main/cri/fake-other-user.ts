/** Debian's `nobody`. */
const other = 65_534

/** Does something without the rights of root; whoever is not root has none to lose. */
export async function asOther<T>(act: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return act()
  process.setegid?.(other)
  process.seteuid?.(other)
  try {
    return await act()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
  }
}
