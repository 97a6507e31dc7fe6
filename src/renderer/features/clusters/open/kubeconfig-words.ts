import { assertNever } from '../../../../shared/assert-never.ts'
import { humanDuration } from '../../../../shared/kubernetes/printers/age.ts'
import type { SignIn } from '../../../../shared/model/seen/kubeconfigs.ts'
import type { ListedKubeconfig } from '../../../store/slices/clusters-slice.ts'
import { text } from '../../../text/text.ts'

const words = text.clusters.open

/** How a context signs in; `program` is set apart, since it runs on this computer. Pure. `now`: ms since 1970. */
export function signInWords(
  signIn: SignIn,
  now: number,
): { readonly word: string; readonly program: string; readonly isBad: boolean } {
  const plain = (word: string): ReturnType<typeof signInWords> => ({
    word,
    program: '',
    isBad: false,
  })
  switch (signIn.kind) {
    case 'clientCertificate':
      if (signIn.expiresAt === null) return plain(words.signIn.clientCertificate)
      if (signIn.expiresAt <= now) return { ...plain(words.signIn.expired), isBad: true }
      return plain(words.signIn.expires(humanDuration(signIn.expiresAt - now)))
    case 'token':
      return plain(words.signIn.token)
    case 'tokenFile':
      return plain(words.signIn.tokenFile)
    case 'plugin':
      return { word: words.signIn.runs, program: signIn.program, isBad: false }
    case 'authProvider':
      return plain(words.signIn.authProvider(signIn.name))
    case 'password':
      return plain(words.signIn.password(signIn.userName))
    case 'none':
      return plain(words.signIn.none)
    default:
      return assertNever(signIn, 'way to sign in')
  }
}

/** The name of a kubeconfig in the list. Pure. */
export function kubeconfigName({ source, files }: ListedKubeconfig): string {
  switch (source.kind) {
    case 'environment':
      return files.length === 1 ? (files[0]?.path ?? words.environment) : words.environment
    case 'file':
      return source.path
    case 'inCluster':
      return words.inCluster
    case 'text':
      return source.name === '' ? words.pasted : source.name
    default:
      return assertNever(source, 'source of a kubeconfig')
  }
}

/** What is said under the name: where it comes from, when it changed, when it was opened. Pure. */
export function kubeconfigFacts(view: ListedKubeconfig, now: number): string {
  const { source, files, lastOpenedAt } = view
  const changedAt = Math.max(...files.map((file) => file.changedAt ?? 0), 0)
  return [
    source.kind === 'environment' ? words.environment : '',
    source.kind === 'environment' && files.length > 1
      ? files.map(({ path }) => path).join(', ')
      : '',
    changedAt === 0 ? '' : words.changed(humanDuration(now - changedAt)),
    lastOpenedAt === null ? '' : words.opened(humanDuration(now - lastOpenedAt)),
  ]
    .filter((part) => part !== '')
    .join('; ')
}
