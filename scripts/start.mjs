// `npm start`. This file stays readable for old Node versions, so that they get a sentence instead of
// a syntax error; everything newer is in launch.mjs.
const version = process.versions.node.split('.')
const major = Number(version[0])
const minor = Number(version[1])
if (major < 20 || (major === 20 && minor < 19)) {
  console.error('Nodescope needs Node 20.19 or newer; this is Node ' + process.versions.node + '.')
  process.exit(1)
}
void import('./launch.mjs').then(function (module) {
  return module.launch(process.argv.slice(2))
})
