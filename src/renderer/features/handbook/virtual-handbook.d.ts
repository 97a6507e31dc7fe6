/** Made by scripts/handbook/plugin.ts of docs/kubelet. */
declare module 'virtual:handbook' {
  // An import at the top would make this an addition to a module that exists.
  // oxlint-disable-next-line typescript/consistent-type-imports
  export const pages: readonly import('../../../shared/handbook/page.ts').HandbookPage[]
  /** The addresses of the pictures, by file name. */
  export const pictures: Readonly<Record<string, string>>
}
