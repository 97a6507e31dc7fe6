/** The program's arguments. Unpackaged, they follow Electron's switches and the app's folder. */
export function programArguments(argv: readonly string[], isPackaged: boolean): readonly string[] {
  const rest = argv.slice(1)
  if (isPackaged) return rest
  const app = rest.findIndex((argument) => !argument.startsWith('-'))
  return app === -1 ? [] : rest.slice(app + 1)
}
