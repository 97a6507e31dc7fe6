import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { givenElectron, hasDisplay, installedElectron } from './electron-binary.mjs'
import { chooseHost, chromiumSwitches } from './launch.mjs'

let folder: string
let executable: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'electron-binary-'))
  executable = join(folder, 'electron')
  writeFileSync(executable, '#!/bin/sh\n')
  chmodSync(executable, 0o755)
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

describe('givenElectron', () => {
  it('is the program from the environment, if it is executable', () => {
    expect(givenElectron({ ELECTRON_EXEC_PATH: executable })).toBe(executable)
    expect(givenElectron({ ELECTRON_EXEC_PATH: join(folder, 'none') })).toBeUndefined()
    expect(givenElectron({ ELECTRON_EXEC_PATH: folder })).toBeUndefined()
    expect(givenElectron({ ELECTRON_EXEC_PATH: '' })).toBeUndefined()
    expect(givenElectron({})).toBeUndefined()
    chmodSync(executable, 0o644)
    expect(givenElectron({ ELECTRON_EXEC_PATH: executable })).toBeUndefined()
  })
})

describe('installedElectron', () => {
  it('is searched in the folder that overrides the package’s own', () => {
    expect(installedElectron({ ELECTRON_OVERRIDE_DIST_PATH: folder })).toBe(executable)
    expect(installedElectron({ ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'x') })).toBeUndefined()
  })
})

describe('hasDisplay', () => {
  it.each([
    [{}, 'linux', false],
    [{ DISPLAY: '' }, 'linux', false],
    [{ DISPLAY: ':0' }, 'linux', true],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
    [{}, 'darwin', true],
    [{}, 'win32', true],
  ] as const)('with %j on %s: %s', (env, platform, expected) => {
    expect(hasDisplay(env, platform)).toBe(expected)
  })
})

describe('chooseHost', () => {
  it.each([
    [['--web'], {}],
    [['--node', 'n', '--web'], {}],
    [['--help'], {}],
    [['--version'], {}],
    [[], { NODESCOPE_WEB: '1' }],
    [[], { NODESCOPE_WEB: 'true' }],
  ])('takes the web host for %j and %j without a word', async (argv, env) => {
    expect(await chooseHost(argv, { ...env, ELECTRON_EXEC_PATH: executable })).toEqual({
      electron: undefined,
      reason: '',
    })
  })

  it('chooses the Electron from the environment, with or without a display', async () => {
    expect(await chooseHost(['--node', 'n'], { ELECTRON_EXEC_PATH: executable })).toEqual({
      electron: executable,
      reason: '',
    })
  })

  it('chooses the installed Electron if there is a display', async () => {
    const env = { ELECTRON_OVERRIDE_DIST_PATH: folder, DISPLAY: ':0' }
    expect(await chooseHost([], env)).toEqual({ electron: executable, reason: '' })
  })

  it.runIf(process.platform === 'linux')('reports that there is no display', async () => {
    expect(await chooseHost([], { ELECTRON_OVERRIDE_DIST_PATH: folder })).toEqual({
      electron: undefined,
      reason: 'there is no display here',
    })
  })
})

describe('chromiumSwitches', () => {
  it('disable the sandbox for root only', () => {
    expect(chromiumSwitches('linux', 0)).toEqual({
      switches: ['--no-sandbox'],
      sentence:
        'Running as root: Electron starts without the Chromium sandbox (--no-sandbox). Start Nodescope as another user to use the sandbox.',
    })
    for (const [platform, userId] of [
      ['linux', 1000],
      ['darwin', 0],
      ['win32', undefined],
    ] as const)
      expect(chromiumSwitches(platform, userId)).toEqual({ switches: [], sentence: '' })
  })
})
