// Prints the folder of a Go that can build the parts in test/kube; where the machine has none, a pinned one is
// fetched once from the Go module proxy into the cache folder. Use: PATH="$(node scripts/go-toolchain.mjs):$PATH"
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inflateRawSync } from 'node:zlib'
import { EnvHttpProxyAgent, request } from 'undici'

const goMod = resolve(import.meta.dirname, '..', 'test', 'kube', 'go.mod')

// What is fetched, with the hash that Go’s checksum database has of it.
const pinned = {
  version: 'v0.0.1-go1.26.8.linux-amd64',
  hash: 'h1:ZOmGe1OnfREDMIdb1Qi4G9JSuDPBLGExZMQ4nis1RXM=',
  platform: 'linux-x64',
}

/** Whether `go1.26.8` is at least `1.25.0`. */
export function isNewEnough(version, wanted) {
  const [, ...have] = /^go(\d+)\.(\d+)/.exec(version) ?? []
  const [, ...need] = /^(\d+)\.(\d+)/.exec(wanted) ?? []
  if (have.length === 0) return false
  return Number(have[0]) * 1000 + Number(have[1]) >= Number(need[0]) * 1000 + Number(need[1])
}

/** The folder of PATH with a Go that is new enough, or undefined. */
function goOfMachine(env) {
  const wanted = /^go (\S+)$/m.exec(readFileSync(goMod, 'utf8'))?.[1] ?? ''
  const folder = (env.PATH ?? '').split(delimiter).find((each) => existsSync(join(each, 'go')))
  if (folder === undefined) return undefined
  const { stdout } = spawnSync(join(folder, 'go'), ['env', 'GOVERSION'], {
    encoding: 'utf8',
    cwd: dirname(goMod),
    env: { ...env, GOTOOLCHAIN: 'local' },
  })
  return isNewEnough(stdout ?? '', wanted) ? folder : undefined
}

/** The proxies in GOPROXY, in order, without `direct`: toolchains have no repository. */
export function proxiesOf(env) {
  const list = env.GOPROXY || 'https://proxy.golang.org'
  return list.split(/[,|]/).filter((each) => /^https?:\/\//.test(each))
}

const endOfDirectory = 0x06054b50
const deflated = 8

/** The files of a zip as the module proxy makes them: no folders, no encryption, less than 4 GiB. */
export function entriesOf(zip) {
  let end = zip.length - 22
  while (end >= 0 && zip.readUInt32LE(end) !== endOfDirectory) end--
  if (end < 0) throw new Error('the download is not a zip file')
  const entries = []
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = zip.readUInt16LE(at + 28)
    const header = zip.readUInt32LE(at + 42)
    // The local header repeats the name and has extra fields of its own.
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
    const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20))
    entries.push({
      name: zip.toString('utf8', at + 46, at + 46 + nameLength),
      content: zip.readUInt16LE(at + 10) === deflated ? inflateRawSync(packed) : packed,
    })
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

function sha256(content) {
  return createHash('sha256').update(content)
}

/** Go's hash of a module (dirhash Hash1): what go.sum and the checksum database have. */
export function hashOf(entries) {
  const lines = entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, content }) => `${sha256(content).digest('hex')}  ${name}\n`)
  return `h1:${sha256(lines.join('')).digest('base64')}`
}

function writeEntries(entries, folder) {
  for (const { name, content } of entries) {
    const path = name.slice(name.indexOf('@')).split('/').slice(1).join('/')
    // Modules keep no modes.
    const isProgram = path.startsWith('bin/') || path.startsWith('pkg/tool/')
    const file = resolve(folder, path)
    if (!file.startsWith(`${folder}/`)) throw new Error(`${name} is outside its folder`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content, { mode: isProgram ? 0o755 : 0o644 })
  }
}

async function download(url) {
  const { statusCode, body } = await request(url, { dispatcher: new EnvHttpProxyAgent() })
  const content = Buffer.from(await body.arrayBuffer())
  if (statusCode !== 200) throw new Error(`it returned ${statusCode}`)
  return content
}

/** Fetches the toolchain into the folder; throws when no proxy has it, or has another one. */
export async function fetchToolchain(toolchain, folder, proxies) {
  const failures = []
  for (const proxy of proxies) {
    const url = `${proxy.replace(/\/$/, '')}/golang.org/toolchain/@v/${toolchain.version}.zip`
    try {
      const entries = entriesOf(await download(url))
      const hash = hashOf(entries)
      if (hash !== toolchain.hash) throw new Error(`it has the hash ${hash}, not the pinned one`)
      // Extracted next to the target and then renamed, so that the target is never incomplete.
      const unfinished = `${folder}.${process.pid}`
      writeEntries(entries, unfinished)
      rmSync(folder, { recursive: true, force: true })
      renameSync(unfinished, folder)
      return
    } catch (error) {
      failures.push(`${url}: ${error.message}`)
    }
  }
  throw new Error(failures.join('\n') || 'GOPROXY names no proxy')
}

async function goFolder(env) {
  const own = goOfMachine(env)
  if (own !== undefined) return own
  if (`${process.platform}-${process.arch}` !== pinned.platform) {
    throw new Error(`it is pinned for ${pinned.platform} only; install Go from https://go.dev/dl`)
  }
  const cache = env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const folder = join(cache, 'nodescope', 'go', pinned.version)
  if (!existsSync(join(folder, 'bin', 'go'))) {
    console.error(`Go is not installed; downloading ${pinned.version} into ${folder}.`)
    await fetchToolchain(pinned, folder, proxiesOf(env))
  }
  return join(folder, 'bin')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    console.log(await goFolder(process.env))
  } catch (error) {
    console.error(`Go could not be installed: ${error.message}`)
    process.exit(1)
  }
}
