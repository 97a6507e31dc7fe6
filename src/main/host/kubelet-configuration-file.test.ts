import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseConfig } from './config.ts'
import { loadKubeletConfiguration } from './kubelet-configuration-file.ts'

const head = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n'
let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubelet-configuration-'))
  path = join(folder, 'kubelet.yaml')
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

function parse(argv: readonly string[], environment: Record<string, string> = {}) {
  return parseConfig({
    argv: ['--config', path, ...argv],
    environment,
    homeFolder: '/home/ada',
    temporaryFolder: '/tmp',
    workingFolder: '/work',
    version: '1.2.3',
  })
}

describe('loadKubeletConfiguration', () => {
  it('says in one sentence why a file is not used', () => {
    const errorOf = (text: string | Uint8Array): unknown => {
      writeFileSync(path, text)
      return loadKubeletConfiguration(path)
    }
    const refused = (sentence: string) => ({
      ok: false,
      error: `The kubelet configuration ${path} ${sentence}`,
    })
    expect(loadKubeletConfiguration(path)).toEqual(refused('cannot be read: it does not exist.'))
    expect(errorOf(Uint8Array.of(0xff))).toEqual(refused('cannot be read: it is not UTF-8 text.'))
    expect(errorOf('')).toEqual(refused('cannot be parsed: The file is empty.'))
    expect(errorOf('apiVersion: v1\nkind: Pod\n')).toEqual(
      refused(
        'is another object. It has apiVersion v1 and kind Pod: it must have apiVersion kubelet.config.k8s.io/v1beta1 and kind KubeletConfiguration.',
      ),
    )
    expect(errorOf(`${head}maxPods: -1\n`)).toEqual(
      refused(
        'is invalid: invalid configuration: maxPods (--max-pods) -1 must not be a negative number.',
      ),
    )
    expect(errorOf(`${head}staticPodURL: ftp://m\n`)).toEqual(
      refused('is not used: staticPodURL needs a URL that begins with http:// or https://.'),
    )
    expect(errorOf(`${head}staticPodURLHeader: { "a b": [c] }\n`)).toEqual(
      refused('is not used: staticPodURLHeader has a name or value that HTTP does not permit.'),
    )
    const inner = join(folder, 'inner')
    mkdirSync(inner)
    expect(loadKubeletConfiguration(inner)).toEqual({
      ok: false,
      error: `The kubelet configuration ${inner} cannot be read: it is a folder.`,
    })
  })
})

describe('parseConfig with --config', () => {
  const fields = `staticPodPath: pods
staticPodURL: http://m/pods
staticPodURLHeader: { X-Key: [k] }
httpCheckFrequency: 5s
maxPods: 50
swap: 1
`

  it('takes the values of the file; a path is relative to its folder', () => {
    writeFileSync(path, head + fields)
    expect(parse([])).toMatchObject({
      value: {
        maxPods: 50,
        manifestsPath: join(folder, 'pods'),
        hasOwnManifests: false,
        manifestUrl: {
          url: 'http://m/pods',
          headers: [{ name: 'X-Key', value: 'k' }],
          checkFrequencyMs: 5000,
        },
        notes: [expect.stringContaining('unknown field "swap"')],
      },
    })
  })

  it('has effect on the server of a joined node', () => {
    const served = 'port: 10251\nserverTLSBootstrap: true\nauthorization: {mode: Webhook}\n'
    writeFileSync(path, head + served)
    const argv = ['--kubeconfig=/kc', '--node=n']
    expect(parse(argv)).toMatchObject({
      value: {
        notes: ['authorization', 'port', 'serverTLSBootstrap'].map(
          (field) => `KubeletConfiguration: ${field} has no effect here.`,
        ),
      },
    })
    expect(parse([...argv, '--kubelet-address=192.0.2.1'])).toMatchObject({
      value: {
        cluster: { kubeletAddress: { host: '192.0.2.1', port: 10_251 } },
        configuration: { serverTLSBootstrap: true },
        notes: [],
      },
    })
  })

  it('lets options and the environment win', () => {
    writeFileSync(path, head + fields)
    const argv = ['--max-pods=9', '--manifests=/m', '--http-check-frequency=7s']
    const environment = { NODESCOPE_MANIFEST_URL_HEADER: 'A:b' }
    expect(parse(argv, environment)).toMatchObject({
      value: {
        maxPods: 9,
        manifestsPath: '/m',
        manifestUrl: {
          url: 'http://m/pods',
          headers: [{ name: 'A', value: 'b' }],
          checkFrequencyMs: 7000,
        },
      },
    })
  })

  it('exits with code 2 before anything starts if the file cannot be used', () => {
    expect(parse([])).toEqual({
      ok: false,
      error: {
        exitCode: 2,
        message: `The kubelet configuration ${path} cannot be read: it does not exist.`,
      },
    })
  })
})
