import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app, BrowserWindow, dialog, ipcMain, Menu, session } from 'electron'
import type { MenuItem } from '../../../shared/ipc/contract.ts'
import packageJson from '../../../../package.json' with { type: 'json' }
import { ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Log } from '../../kubelet/ports.ts'
import { saveTextFile } from '../../files/save-text-file.ts'
import type { SessionChannel } from '../../session/session-channel.ts'
import type { Config, Exit } from '../config.ts'
import { readConfig } from '../config.ts'
import type { DataFolderError } from '../data-folder.ts'
import { requestFocus } from '../data-folder.ts'
import { endProcess } from '../end-process.ts'
import { removeLeftovers } from '../leftovers.ts'
import { openHost, startFailure, startProgram } from '../program.ts'
import type { HostParts } from '../program.ts'
import { parserThreads } from '../../parsing/parser-thread.ts'
import { shippedAssets } from '../shipped-assets.ts'
import { limitHeapGrowth } from '../heap-growth.ts'
import { ignoreClosedOutput, printExit, printFact } from '../terminal.ts'
import { programArguments } from './arguments.ts'
import { confineEveryPage, confinePage, denyPermissions } from './hardening.ts'
import { menuTemplate } from './menu.ts'
import { PageIpc } from './page-ipc.ts'
import { focusWindow, reloadAfterCrash, windowOptions } from './window.ts'

const builtFolder = resolve(import.meta.dirname, '..')
const indexPath = join(builtFolder, 'renderer', 'index.html')
const pageUrl = pathToFileURL(indexPath).href

function exitWith(exitCode: number): Promise<void> {
  return endProcess(exitCode, {
    exit: (code) => {
      app.exit(code)
    },
  })
}

function end(exit: Exit): void {
  printExit(exit)
  void exitWith(exit.exitCode)
}

/** Electron's own files are in the data folder too; its lock there detects a second start. */
function keepElectronFilesIn(dataFolder: string): void {
  const folder = join(dataFolder, 'electron')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  app.setPath('userData', folder)
}

function endSecondStart(dataFolder: string, error: DataFolderError): void {
  if (error.kind !== 'held' || error.holder.host !== 'electron')
    return end({ exitCode: 1, message: error.message })
  keepElectronFilesIn(dataFolder)
  // With its lock, Electron raises the first window itself; without it, the focus request does.
  if (app.requestSingleInstanceLock()) requestFocus(dataFolder)
  end({ exitCode: 0, message: 'Nodescope is already running: its window comes to the front.' })
}

function openWindow(
  channel: SessionChannel,
  log: Log,
): { readonly window: BrowserWindow; readonly ipc: PageIpc } {
  const preload = join(builtFolder, 'preload', 'index.cjs')
  const window = new BrowserWindow(windowOptions(preload, { isRelease: app.isPackaged }))
  const contents = window.webContents
  confinePage(contents)
  reloadAfterCrash(contents, log, Date.now)
  const ipc = new PageIpc({ ipcMain, contents, pageUrl, channel, log })
  ipc.start()
  window.once('ready-to-show', () => {
    window.show()
  })
  window.on('closed', () => {
    ipc.disconnect()
  })
  return { window, ipc }
}

/** Files of this machine, in the system's own dialog. */
async function chooseFiles(): Promise<readonly string[]> {
  const { filePaths } = await dialog.showOpenDialog({ properties: ['openFile', 'multiSelections'] })
  return filePaths
}

/** Saves a text where the user says. */
async function saveFile(name: string, text: string): Promise<Result<string | undefined, string>> {
  const { filePath, canceled } = await dialog.showSaveDialog({ defaultPath: name })
  if (canceled || filePath === '') return ok(undefined)
  return saveTextFile(filePath, text)
}

async function start(config: Config, { dataFolder, log, shutdown }: HostParts): Promise<void> {
  await app.whenReady()
  denyPermissions(session.defaultSession)
  await removeLeftovers(config, { temporaryFolder: tmpdir(), log })
  const assets = shippedAssets(join(builtFolder, 'assets'))
  const parsers = parserThreads(join(builtFolder, 'main', 'parser.js'))
  const program = await startProgram(config, {
    log,
    assets,
    parsers,
    host: 'electron',
    chooseFiles,
    saveFile,
  })
  if (!program.ok) {
    await shutdown.run()
    return end(program.error)
  }
  shutdown.add(() => program.value.stop())
  const { window, ipc } = openWindow(program.value.channel, log)
  const onChoose = (item: MenuItem): void => {
    ipc.choose(item)
  }
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(menuTemplate(process.platform, { isRelease: app.isPackaged, onChoose })),
  )
  app.on('second-instance', () => {
    focusWindow(window)
  })
  dataFolder.onFocusRequest(() => {
    focusWindow(window)
  })
  for (const fact of program.value.facts) printFact(fact)
  void program.value.refused?.then(async (exit) => {
    await shutdown.run()
    // The window has been open for some seconds, and there may be no terminal.
    dialog.showErrorBox('Nodescope cannot run this node', exit.message)
    end(exit)
  })
  await window.loadFile(indexPath)
}

function run(config: Config): void {
  const opened = openHost(config, 'electron')
  if (!opened.ok) return endSecondStart(config.dataFolder, opened.error)
  const { dataFolder, shutdown } = opened.value
  keepElectronFilesIn(config.dataFolder)
  app.requestSingleInstanceLock()
  shutdown.add(() => {
    dataFolder.release()
  })
  app.on('window-all-closed', () => {
    app.quit()
  })
  app.on('will-quit', (event) => {
    event.preventDefault()
    void shutdown.run().then(() => exitWith(0))
  })
  // Not awaited: Electron becomes ready only after this module has run.
  start(config, opened.value).catch((error: unknown) => {
    end(startFailure(error))
  })
}

limitHeapGrowth()
confineEveryPage(app)
ignoreClosedOutput()
const config = readConfig(programArguments(process.argv, app.isPackaged), packageJson.version)
if (config.ok) run(config.value)
else end(config.error)
