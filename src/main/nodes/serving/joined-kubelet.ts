import { isIPv6 } from 'node:net'
import type { JsonObject } from '../../../shared/json.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import type { HttpsServer } from '../../sandbox/surface/https-server.ts'
import { startKubeletListener } from '../listener/kubelet-listener.ts'
import type { KubeletListenerDeps } from '../listener/kubelet-listener.ts'
import { AccessReviews } from './access-reviews.ts'
import { certificateCheck } from './certificate-checks.ts'
import { clientCasOfCluster, clientCasOfFile } from './client-ca.ts'
import { credentialsOf } from './client-user.ts'
import { repeatCheck } from './repeated-check.ts'
import type { Check } from './repeated-check.ts'
import type { ServedNode, ServingCertificate } from './serving-certificate.ts'
import { servingSettingsOf } from './serving-settings.ts'
import type { ServingSettings } from './serving-settings.ts'

/** Where the kubelet's own server listens. */
export interface KubeletAddress {
  /** IPv4, or IPv6 without brackets; of this machine. */
  readonly host: string
  /** 0: any free one. */
  readonly port: number
}

export interface JoinedKubeletDeps extends Pick<KubeletListenerDeps, 'server' | 'serveStream'> {
  readonly address: KubeletAddress
  readonly nodeName: string
  /** As /configz shows it. */
  readonly configuration: JsonObject
  readonly dataFolder: string
  /** To the API server, with the rights of the node. */
  readonly transport: Transport
  readonly clock: Clock
  readonly log: Log
  /** One sentence about what the server lacks, and what to do. */
  readonly say: (sentence: string) => void
}

/** The server of a node in a real cluster. */
export interface JoinedKubelet {
  readonly address: KubeletAddress
  readonly stop: () => Promise<void>
}

/** Of files, and of what the API server has. */
const [fileMs, clusterMs] = [60_000, 300_000]

/** Between two looks whether the kubelet has started. */
const unstartedMs = 500

/** More would be the words of a server that changes them. */
const mostSentences = 100

/** `host:port`, for a URL. */
export function addressText({ host, port }: KubeletAddress): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`
}

/**
 * Starts the kubelet's own server where an API server can reach it (cmd/kubelet/app: InitializeTLS, BuildAuth). It renews its
 * certificate and rereads CAs. Error: one sentence, nothing left running.
 */
export async function startJoinedKubelet(
  deps: JoinedKubeletDeps,
): Promise<Result<JoinedKubelet, string>> {
  const settings = servingSettingsOf(deps.configuration)
  if (!settings.ok) return settings
  const said = new Set<string>()
  const say = (sentence: string): void => {
    if (said.has(sentence) || said.size >= mostSentences) return
    said.add(sentence)
    deps.say(sentence)
  }
  return new ServerStart({ ...deps, say }, settings.value).run()
}

class ServerStart {
  readonly #deps: JoinedKubeletDeps
  readonly #settings: ServingSettings
  #certificate: ServingCertificate | undefined
  #clientCas: readonly string[] = []
  #server: HttpsServer | undefined

  constructor(deps: JoinedKubeletDeps, settings: ServingSettings) {
    this.#deps = deps
    this.#settings = settings
  }

  async run(): Promise<Result<JoinedKubelet, string>> {
    const { clock, say, address } = this.#deps
    const checks = [this.#certificateCheck(), this.#clientCaCheck()]
    const begun = await Promise.all(checks.map(async (check) => ({ check, first: await check() })))
    const certificate = begun[0]?.first
    if (certificate?.ok === false && this.#settings.certificate.kind === 'files')
      return err(certificate.error)
    const server = await this.#listen()
    if (!server.ok) return err(listenProblem(address, server.error))
    this.#server = server.value
    this.#update()
    const stops = begun.map(({ check, first }) => repeatCheck(check, { clock, say, first }))
    const { port, stop } = server.value
    return ok({
      address: { ...address, port },
      stop: async () => {
        for (const stopCheck of stops) stopCheck()
        await stop()
      },
    })
  }

  #certificateCheck(): Check {
    const { nodeName, address, dataFolder, transport, clock, say, server } = this.#deps
    const node: ServedNode = { nodeName, address: address.host }
    const check = certificateCheck({
      settings: this.#settings.certificate,
      node,
      dataFolder,
      transport,
      clock,
      say,
      use: (certificate) => {
        this.#certificate = certificate
        this.#update()
      },
    })
    const writes = this.#settings.certificate.kind === 'signed'
    // A request for a certificate is a write, and a kubelet that may not start writes nothing.
    return () => (writes && server() === undefined ? Promise.resolve(ok(unstartedMs)) : check())
  }

  #clientCaCheck(): Check {
    const { clientCaFile } = this.#settings
    const { transport } = this.#deps
    return async () => {
      const found = await (clientCaFile === undefined
        ? clientCasOfCluster(transport)
        : clientCasOfFile(clientCaFile))
      if (!found.ok) return found
      const isNew = found.value.join('') !== this.#clientCas.join('')
      this.#clientCas = found.value
      if (isNew) this.#update()
      return ok(clientCaFile === undefined ? clusterMs : fileMs)
    }
  }

  #update(): void {
    const { certificatePem: cert, keyPem: key } = this.#certificate ?? {}
    const certificate = cert === undefined || key === undefined ? {} : { cert, key }
    this.#server?.setSecureContext({ ...certificate, ca: [...this.#clientCas] })
  }

  #listen(): Promise<Result<HttpsServer, NodeJS.ErrnoException>> {
    const { address, log, say, server, serveStream, transport, clock } = this.#deps
    const reviews = new AccessReviews({ transport, clock, settings: this.#settings, failed: say })
    return startKubeletListener({
      ...address,
      ...this.#certificate,
      clientCas: this.#clientCas,
      server,
      authOf: (incoming) => reviews.authOf(credentialsOf(incoming)),
      serveStream,
      log,
    })
  }
}

function listenProblem(address: KubeletAddress, { code, message }: NodeJS.ErrnoException): string {
  const where = addressText(address)
  switch (code) {
    case 'EADDRINUSE':
      return `${where} is in use by another program: choose another port with --kubelet-address IP:PORT.`
    case 'EADDRNOTAVAIL':
      return `${address.host} is not an address of this machine: pass one to --kubelet-address.`
    case 'EACCES':
      return `Port ${address.port} needs privileges that this user does not have: choose one above 1023 with --kubelet-address.`
    default:
      return `The kubelet’s server cannot listen on ${where}: ${message}.`
  }
}
