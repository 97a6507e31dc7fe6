import { spawn } from 'node:child_process'
import { access, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { builtModule } from '../../../../test/built-module.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { isAlive } from '../../host/process-identity.ts'
import { ExecPlugin } from './exec-plugin.ts'
import type { ExecPluginDeps } from './exec-plugin.ts'
import { pluginEnvironment } from './plugin-environment.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugin-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

const apiVersion = 'client.authentication.k8s.io/v1'

function answer(status: JsonObject, version = apiVersion): string {
  return JSON.stringify({ apiVersion: version, kind: 'ExecCredential', status })
}

/** A plugin written in JavaScript; it leaves a line in `runs` each time. */
async function plugin(
  body: string,
  options: { readonly exec?: JsonObject } & Partial<ExecPluginDeps> = {},
): Promise<ExecPlugin> {
  const { exec, ...deps } = options
  const script = `#!${process.execPath}\nrequire('fs').appendFileSync(${JSON.stringify(join(folder, 'runs'))}, 'x')\n${body}\n`
  await writeFile(join(folder, 'plugin.cjs'), script)
  await chmod(join(folder, 'plugin.cjs'), 0o755)
  return new ExecPlugin({
    exec: { apiVersion, command: join(folder, 'plugin.cjs'), ...exec },
    cluster: () => Promise.resolve({ server: 'https://s' }),
    environment: { PATH: process.env['PATH'] },
    printLine: () => undefined,
    now: () => 0,
    ...deps,
  })
}

async function runs(): Promise<number> {
  return (await readFile(join(folder, 'runs'), 'utf8')).length
}

function printing(text: string): string {
  return `process.stdout.write(${JSON.stringify(text)})`
}

describe('ExecPlugin', () => {
  it('runs once for concurrent callers, and not again until its token expires', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    const expirationTimestamp = '2026-01-01T01:00:00Z'
    const made = await plugin(printing(answer({ token: 't', expirationTimestamp })), {
      now: () => now,
    })
    const given = await Promise.all(Array.from({ length: 5 }, () => made.credential()))
    expect(given).toEqual(Array(5).fill({ token: 't' }))
    now += 3_599_999
    await made.credential()
    expect(await runs()).toBe(1)
    now += 1
    await made.credential()
    expect(await runs()).toBe(2)
  })

  it('runs again after the server refused its credential', async () => {
    const made = await plugin(printing(answer({ token: 't' })))
    await made.credential()
    made.forget()
    await made.credential()
    expect(await runs()).toBe(2)
  })

  it('returns a client certificate with its key', async () => {
    const status = { clientCertificateData: 'CERT', clientKeyData: 'KEY' }
    const made = await plugin(printing(answer(status)))
    expect(await made.credential()).toEqual({ cert: 'CERT', key: 'KEY' })
  })

  it('passes the version, the cluster if requested, arguments and environment to the plugin', async () => {
    const body = `
      const { KUBERNETES_EXEC_INFO, MINE, PATH } = process.env
      const token = JSON.stringify([JSON.parse(KUBERNETES_EXEC_INFO), MINE, typeof PATH, process.argv.slice(2)])
      process.stdout.write(JSON.stringify({ apiVersion: '${apiVersion}', kind: 'ExecCredential', status: { token } }))`
    const exec = {
      args: ['a', 'b c'],
      env: [{ name: 'MINE', value: 'yes' }],
      provideClusterInfo: true,
    }
    const tokenOf = async (extra: JsonObject): Promise<unknown> => {
      const made = await plugin(body, { exec: { ...exec, ...extra } })
      return JSON.parse((await made.credential()).token ?? '')
    }
    const spec = { interactive: false, cluster: { server: 'https://s' } }
    expect(await tokenOf({})).toEqual([
      { kind: 'ExecCredential', apiVersion, spec },
      'yes',
      'string',
      ['a', 'b c'],
    ])
    expect(await tokenOf({ provideClusterInfo: false })).toMatchObject([
      { spec: { interactive: false } },
      'yes',
      'string',
      ['a', 'b c'],
    ])
  })

  it.each([
    [
      'process.stderr.write("\\nlogin first\\nmore"); process.exit(3)',
      'exited with code 3: login first. It gets only a part of this environment; set what else it needs under exec.env in the kubeconfig.',
    ],
    [
      'process.exit(4)',
      'exited with code 4. It gets only a part of this environment; set what else it needs under exec.env in the kubeconfig.',
    ],
    ['process.kill(process.pid, "SIGKILL")', 'was terminated by a signal.'],
    [printing('hello'), 'did not print an ExecCredential.'],
    [printing('{"kind":"Secret"}'), 'did not print an ExecCredential.'],
    [
      printing(answer({ token: 't' }, 'client.authentication.k8s.io/v1beta1')),
      `returned client.authentication.k8s.io/v1beta1, but the kubeconfig requests ${apiVersion}.`,
    ],
    [
      printing(answer({ clientCertificateData: 'x' })),
      'returned neither a token nor a certificate with its key.',
    ],
    ['setInterval(() => process.stdout.write("x".repeat(100000)), 1)', 'printed too much output.'],
  ])('says in one sentence what went wrong: %s', async (body, message) => {
    const made = await plugin(body)
    await expect(made.credential()).rejects.toMatchObject({
      name: 'TransportError',
      kind: 'unavailable',
      message: `The credential plugin "${join(folder, 'plugin.cjs')}" ${message}`,
    })
  })

  it('stops a plugin that does not exit in time', async () => {
    const made = await plugin('setInterval(() => undefined, 1000)', { timeoutMs: 50 })
    await expect(made.credential()).rejects.toThrow(
      `The credential plugin "${join(folder, 'plugin.cjs')}" did not exit within 0.05 seconds.`,
    )
  })

  it.runIf(process.platform !== 'win32')(
    'takes no output any longer of what a plugin that it gave up has started',
    async () => {
      const ended = join(folder, 'ended')
      const writer = `
        process.stdout.on('error', () => { require('fs').writeFileSync(${JSON.stringify(ended)}, ''); process.exit() })
        setInterval(() => process.stdout.write('x'), 10)
        setTimeout(() => process.exit(), 20_000)`
      const body = `
        require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(writer)}], { stdio: 'inherit', detached: true })
        setInterval(() => process.stdout.write("x".repeat(100000)), 1)`
      const made = await plugin(body)
      await expect(made.credential()).rejects.toThrow('printed too much output')
      await vi.waitFor(() => access(ended), { timeout: 10_000 })
    },
    15_000,
  )

  it('passes on what it prints on stderr while it runs, and its end', async () => {
    const heard: (string | null)[] = []
    const signedIn = join(folder, 'signed-in')
    const body = `
      process.stderr.write('Open https://login.example and enter ABCD')
      const timer = setInterval(() => {
        if (!require('fs').existsSync(${JSON.stringify(signedIn)})) return
        clearInterval(timer)
        ${printing(answer({ token: 't' }))}
      }, 10)`
    const made = await plugin(body, { onPluginOutput: (text) => heard.push(text) })
    const asked = made.credential()
    await vi.waitFor(() => {
      expect(heard).toEqual(['', 'Open https://login.example and enter ABCD'])
    })
    await writeFile(signedIn, '')
    await asked
    expect(heard.at(-1)).toBe(null)
  })

  describe.runIf(process.platform !== 'win32')('of which a child process runs', () => {
    /** Hangs, and has started a process that hangs. */
    const hanging = (): string => `
      const child = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' })
      require('fs').writeFileSync(${JSON.stringify(join(folder, 'new'))}, process.pid + ' ' + child.pid)
      require('fs').renameSync(${JSON.stringify(join(folder, 'new'))}, ${JSON.stringify(join(folder, 'pids'))})
      setInterval(() => undefined, 1000)`
    const pids = async (): Promise<readonly number[]> =>
      vi.waitFor(
        async () => (await readFile(join(folder, 'pids'), 'utf8')).split(' ').map(Number),
        {
          timeout: 10_000,
        },
      )
    const areGone = async (all: readonly number[]): Promise<void> =>
      vi.waitFor(
        () => {
          expect(all.filter(isAlive)).toEqual([])
        },
        { timeout: 10_000 },
      )

    it('ends with it when the cluster is closed, and runs again for those who share it', async () => {
      const made = await plugin(hanging(), { keepsFailureMs: 60_000 })
      const asked = made.credential()
      const refused = expect(asked).rejects.toThrow('plugin.cjs" was ended.')
      const all = await pids()
      expect(all.map(isAlive)).toEqual([true, true])
      await made.end()
      await refused
      await areGone(all)
      await plugin(printing(answer({ token: 't' })))
      expect(await made.credential()).toEqual({ token: 't' })
    })

    it('is killed if it does not end at SIGTERM', async () => {
      const made = await plugin(`process.on('SIGTERM', () => undefined)\n${hanging()}`)
      const refused = expect(made.credential()).rejects.toThrow('was ended')
      const all = await pids()
      await made.end()
      await refused
      await areGone(all)
    })

    it('ends with the program', async () => {
      await plugin(hanging())
      const built = await builtModule('cluster/kubeconfig/exec-plugin.ts')
      const program = join(folder, 'program.mjs')
      await writeFile(
        program,
        `import { ExecPlugin } from ${JSON.stringify(built.path)}
        new ExecPlugin({
          exec: { apiVersion: '${apiVersion}', command: ${JSON.stringify(join(folder, 'plugin.cjs'))} },
          cluster: async () => ({}), environment: process.env, printLine: () => undefined, now: () => 0,
        }).credential()
        process.on('SIGTERM', () => process.exit(0))`,
      )
      const child = spawn(process.execPath, [program], { stdio: 'inherit' })
      try {
        const all = await pids()
        child.kill('SIGTERM')
        await areGone(all)
      } finally {
        child.kill('SIGKILL')
        built.remove()
      }
    }, 30_000)
  })

  it('reports a missing plugin with its install hint, and one that needs a terminal', async () => {
    const exec = { command: 'no-such-plugin-here', installHint: 'Install it.\nSee elsewhere.' }
    const missing = await plugin('', { exec })
    await expect(missing.credential()).rejects.toThrow(
      'The credential plugin "no-such-plugin-here" was not found: Install it.',
    )
    const asking = await plugin('', { exec: { interactiveMode: 'Always' } })
    await expect(asking.credential()).rejects.toThrow('needs a terminal for input')
  })

  it('announces the program and its environment before the first run', async () => {
    const printed: string[] = []
    const made = await plugin(printing(answer({ token: 't' })), {
      exec: { args: ['get-token', '--region', 'eu west'] },
      environment: { PATH: process.env['PATH'], AWS_PROFILE: 'dev', NPM_TOKEN: 'secret' },
      printLine: (sentence) => printed.push(sentence),
    })
    expect(printed).toEqual([])
    await made.credential()
    made.forget()
    await made.credential()
    expect(printed).toEqual([
      `running the credential plugin of the kubeconfig: ${join(folder, 'plugin.cjs')} get-token --region "eu west" (with AWS_PROFILE, PATH from this environment)`,
    ])
  })

  it('passes the variables that plugins need, but no secrets of other programs', async () => {
    const body = `
      const token = JSON.stringify(process.env)
      process.stdout.write(JSON.stringify({ apiVersion: '${apiVersion}', kind: 'ExecCredential', status: { token } }))`
    const made = await plugin(body, {
      exec: { env: [{ name: 'MINE', value: 'yes' }] },
      environment: {
        PATH: process.env['PATH'],
        HOME: '/home/ada',
        AWS_PROFILE: 'dev',
        https_proxy: 'http://proxy',
        LC_ALL: 'C',
        NPM_TOKEN: 'secret',
        NODESCOPE_MANIFEST_URL_HEADER: 'Authorization:secret',
        DATABASE_URL: 'secret',
        NODE_OPTIONS: '--import=x',
        LD_PRELOAD: '',
      },
    })
    const seen: unknown = JSON.parse((await made.credential()).token ?? '')
    expect(Object.keys(seen as object).toSorted()).toEqual([
      'AWS_PROFILE',
      'HOME',
      'KUBERNETES_EXEC_INFO',
      'LC_ALL',
      'MINE',
      'PATH',
      'https_proxy',
    ])
  })

  it.each([
    ['in a shell of a cloud', 'MSI_ENDPOINT', 'IDENTITY_HEADER', 'DEVSHELL_CLIENT_PORT'],
    ['in a workflow that logs in by its own identity', 'ACTIONS_ID_TOKEN_REQUEST_URL'],
    [
      'where Python or a version manager finds the program',
      'PYENV_ROOT',
      'VIRTUAL_ENV',
      'ASDF_DIR',
    ],
    ['with a keyring', 'GNUPGHOME', 'PASSWORD_STORE_DIR', 'GPG_TTY', 'SAML2AWS_PROFILE'],
  ])('finds what it logs in with %s', (_, ...wanted) => {
    expect(
      Object.keys(pluginEnvironment(Object.fromEntries(wanted.map((name) => [name, 'x'])))),
    ).toEqual(wanted)
  })

  it('reports arguments that the operating system refuses', async () => {
    const made = await plugin('', { exec: { args: ['a\u0000b'] } })
    await expect(made.credential()).rejects.toThrow(
      `The credential plugin "${join(folder, 'plugin.cjs')}" could not be started:`,
    )
  })

  it('does not run again while its failure counts, unless the user wants it', async () => {
    let now = 0
    const made = await plugin('process.exit(1)', { keepsFailureMs: 60_000, now: () => now })
    await expect(made.credential()).rejects.toThrow('exited with code 1')
    now = 59_000
    await expect(made.credential()).rejects.toThrow('exited with code 1')
    expect(await runs()).toBe(1)
    now = 60_000
    await expect(made.credential()).rejects.toThrow('exited with code 1')
    made.forget()
    await expect(made.credential()).rejects.toThrow('exited with code 1')
    expect(await runs()).toBe(3)
  })

  it('tries again after a failure', async () => {
    const made = await plugin('process.exit(1)')
    await expect(made.credential()).rejects.toThrow('exited with code 1')
    await plugin(printing(answer({ token: 't' })))
    expect(await made.credential()).toEqual({ token: 't' })
  })
})
