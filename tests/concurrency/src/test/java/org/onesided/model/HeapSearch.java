package org.onesided.model;

import java.util.function.Consumer;

/**
 * Searches all states of the model of records.
 */
final class HeapSearch implements Exploration.Model<HeapWorld>
{
    private final HeapWriter writer;
    private final HeapReader reader;
    private final Exploration<HeapWorld> exploration = new Exploration<>(this);

    /**
     * @param flaw           of writer or reader; null for none.
     * @param puts           at most; moves and deletes are as many as there can be.
     * @param isTwinChanging whether the key that is not looked up is put and deleted, too; else it only moves.
     */
    HeapSearch(final HeapFlaw flaw, final int puts, final boolean isTwinChanging)
    {
        writer = new HeapWriter(flaw, Heap.KEYS + puts, isTwinChanging);
        reader = new HeapReader(flaw);
    }

    int states()
    {
        return exploration.states();
    }

    /** The steps that lead to a lookup that tells what was not so; null if there are none. */
    String violation()
    {
        String violation = null;
        for (int keys = Heap.SOUGHT; keys <= Heap.KEYS && violation == null; keys++)
        {
            violation = exploration.violation(HeapWorld.start(keys));
        }
        return violation;
    }

    @Override
    public byte[] bytes(final HeapWorld world)
    {
        return world.bytes;
    }

    @Override
    public void step(final HeapWorld world, final Consumer<HeapWorld> next)
    {
        writer.step(world, next);
        reader.step(world, next);
    }

    @Override
    public boolean isWrong(final HeapWorld world)
    {
        return HeapReader.isWrong(world);
    }

    @Override
    public boolean isOver(final HeapWorld world)
    {
        return HeapReader.isOver(world);
    }
}
