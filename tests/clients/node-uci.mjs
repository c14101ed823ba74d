// Plays a few moves of each game with the npm package node-uci. If a valid setoption causes any output,
// the package takes the output for an error. Usage: node node-uci.mjs PENTARCH GAME...
import assert from 'node:assert/strict'
import uci from 'node-uci'

for (const game of process.argv.slice(3)) {
  const engine = new uci.Engine(process.argv[2])
  await engine.init()
  assert.match(engine.id.name, /^pentarch /)
  assert(engine.options.has('UCI_Variant') && engine.options.has('Hash'))
  await engine.setoption('UCI_Variant', game)
  await engine.setoption('Hash', 4)
  await engine.isready()
  await engine.ucinewgame()
  const moves = []
  const limits = [{ depth: 2 }, { movetime: 20 }, { nodes: 500 }, { wtime: 1000, btime: 1000, winc: 10, binc: 10 }]
  for (let count = 0; count < 8; count++) {
    await engine.position('startpos', moves)
    const limit = limits[count % limits.length]
    const { bestmove, info } = await engine.go(limit)
    // The last move was made with little time, so it may have lost the game.
    if (bestmove === '(none)') break
    assert.match(bestmove, /^[A-Za-z0-9]+$/)
    // On a busy machine, searches with other limits may end before there is a score.
    assert(!limit.depth || info.some((line) => line.pv && line.score), 'info lines are understood')
    moves.push(bestmove)
  }
  await engine.position('startpos', moves)
  engine.goInfinite()
  const { bestmove } = await engine.stop()
  assert(bestmove)
  console.log(`node-uci ${game}: ${moves.join(' ')}`)
  await engine.quit()
}
