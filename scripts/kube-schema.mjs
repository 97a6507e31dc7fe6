// `npm run kube:schema`: makes src/shared/kubernetes/schema/api-schemas.json and src/main/sandbox/auth/rbac/bootstrap-policy.json again
// from a real kube-apiserver, and src/main/sandbox/surface/protobuf-messages.json from the Go types of its API.
// Kubernetes' version is in test/kube/parts.ts; test/kube/schema.test.ts fails while the file is another one's.
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { runnerImport } from 'vite'

const folder = resolve(import.meta.dirname, '../test/kube')

async function load(name) {
  const options = { configFile: false, logLevel: 'error' }
  return (await runnerImport(resolve(folder, name), options)).module
}

const { startRealServer } = await load('servers.ts')
const { tableFile, tableFrom } = await load('schema/server-table.ts')
const { tableText } = await load('schema/schema-table.ts')

const { protobufTable, protobufTableFile, protobufTableText } = await load(
  'schema/protobuf-table.ts',
)

const { bootstrapTable, bootstrapTableFile, bootstrapTableText } = await load(
  'schema/bootstrap-table.ts',
)

const server = await startRealServer(process.env)
if ('missing' in server) {
  const parts = server.missing
  console.error(
    `${parts.join(' and ')} not found; npm run kube:build ${parts.join(' ')} brings them`,
  )
  process.exit(1)
}
try {
  const table = await tableFrom(server)
  const text = tableText(table)
  await writeFile(tableFile, text)
  console.log(`${tableFile}: ${Object.keys(table).length} schemas, ${text.length} bytes.`)
  const policy = await bootstrapTable(server)
  await writeFile(bootstrapTableFile, bootstrapTableText(policy))
  console.log(`${bootstrapTableFile}: ${Object.keys(policy.roles).length} roles.`)
  const messages = await protobufTable()
  await writeFile(protobufTableFile, protobufTableText(messages))
  console.log(`${protobufTableFile}: ${Object.keys(messages).length} messages.`)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  await server.stop()
}
// Imported modules may keep the event loop busy.
process.exit()
