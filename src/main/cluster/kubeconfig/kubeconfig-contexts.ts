import { X509Certificate } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeconfigContext, SignIn } from '../../../shared/model/seen/kubeconfigs.ts'
import { readRegularFile } from '../../files/read-regular-file.ts'
import { commandLineOf } from './exec-plugin.ts'
import { contextProblem, proxyOf } from './kubeconfig.ts'
import { chooseContext } from './kubeconfig-file.ts'
import type { LoadedKubeconfig } from './kubeconfig-sources.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What the kubeconfig alone says of a context. */
export type ReadContext = Omit<KubeconfigContext, 'lastOpenedAt' | 'cluster' | 'color'>

const maxCertificateBytes = 1024 * 1024

async function certificateText(user: JsonObject): Promise<string> {
  const inline = textAt(user, 'client-certificate-data')
  if (inline !== '') return Buffer.from(inline, 'base64').toString('utf8')
  const path = textAt(user, 'client-certificate')
  if (!isAbsolute(path)) return ''
  try {
    return (await readRegularFile(path, { maxBytes: maxCertificateBytes })).bytes.toString()
  } catch {
    // Opening the context says why the file cannot be read.
    return ''
  }
}

async function certificateEnd(user: JsonObject): Promise<number | null> {
  const text = await certificateText(user)
  try {
    const end = Date.parse(new X509Certificate(text).validTo)
    return Number.isNaN(end) ? null : end
  } catch {
    return null
  }
}

/** In the order in which `UserCredentials` takes them. */
async function signInOf(user: JsonObject): Promise<SignIn> {
  if (textAt(user, 'tokenFile') !== '')
    return { kind: 'tokenFile', path: textAt(user, 'tokenFile') }
  if (textAt(user, 'token') !== '') return { kind: 'token' }
  if (textAt(user, 'username') !== '')
    return { kind: 'password', userName: textAt(user, 'username') }
  const { exec } = user
  if (isJsonObject(exec))
    return { kind: 'plugin', program: textAt(exec, 'command'), commandLine: commandLineOf(exec) }
  const provider = textAt(objectAt(user, 'auth-provider'), 'name')
  if (provider !== '') return { kind: 'authProvider', name: provider }
  if (textAt(user, 'client-certificate-data') + textAt(user, 'client-certificate') !== '')
    return { kind: 'clientCertificate', expiresAt: await certificateEnd(user) }
  return { kind: 'none' }
}

async function readContext(
  { config, where }: LoadedKubeconfig,
  name: string,
  environment: Environment,
): Promise<ReadContext> {
  const chosen = chooseContext(config, { file: where, wanted: name })
  if (!chosen.ok) {
    const entry = objectsAt(config, 'contexts').find((one) => textAt(one, 'name') === name)
    const context = objectAt(entry ?? {}, 'context')
    return {
      name,
      clusterName: textAt(context, 'cluster'),
      server: '',
      userName: textAt(context, 'user'),
      namespace: textAt(context, 'namespace') || 'default',
      signIn: { kind: 'none' },
      impersonates: '',
      proxy: '',
      problem: chosen.error.message,
    }
  }
  const { clusterName, userName, namespace, cluster, user } = chosen.value
  return {
    name,
    clusterName,
    server: textAt(cluster, 'server'),
    userName,
    namespace,
    signIn: await signInOf(user),
    impersonates: textAt(user, 'as'),
    proxy: proxyOf(cluster, environment) ?? '',
    problem: contextProblem(chosen.value, where)?.message ?? '',
  }
}

/** The contexts of a kubeconfig in its order. Reads certificates, contacts nothing and runs no program. */
export async function readContexts(
  loaded: LoadedKubeconfig,
  environment: Environment,
): Promise<readonly ReadContext[]> {
  const names = objectsAt(loaded.config, 'contexts').map((entry) => textAt(entry, 'name'))
  return await Promise.all(
    [...new Set(names)].map((name) => readContext(loaded, name, environment)),
  )
}
