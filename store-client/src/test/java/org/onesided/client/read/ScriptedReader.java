package org.onesided.client.read;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.UnsafeApi;
import org.onesided.client.session.RegionReader;
import org.onesided.client.session.RegisteredBuffer;

/**
 * READs a test region, in one step per READ, with events in between: what a server does just before the READ of that
 * number is carried out. Refuses a READ outside the region, as a queue pair would by failing.
 */
final class ScriptedReader implements RegionReader
{
    /** One READ. */
    record Read(long tableOffset, long length)
    {
    }

    private final TestRegion region;
    private final Map<Integer, Runnable> before = new HashMap<>();
    private Runnable always = () -> { };
    final List<Read> reads = new ArrayList<>();

    ScriptedReader(final TestRegion region)
    {
        this.region = region;
    }

    /** Lets something happen before the READ of that number, counted from 0. */
    ScriptedReader before(final int number, final Runnable event)
    {
        before.merge(number, event, (first, second) -> () ->
        {
            first.run();
            second.run();
        });
        return this;
    }

    /** Lets something happen before every READ. */
    ScriptedReader always(final Runnable event)
    {
        always = event;
        return this;
    }

    @Override
    public void enqueue(
        final int shard,
        final long tableOffset,
        final long length,
        final RegisteredBuffer target,
        final long targetOffset)
    {
        if (tableOffset < 0 || length < 1 || tableOffset > region.superblock.regionLength() - length)
        {
            throw new AssertionError("READ outside the region: tableOffset=" + tableOffset + " length=" + length);
        }
        always.run();
        before.getOrDefault(reads.size(), () -> { }).run();
        reads.add(new Read(tableOffset, length));
        UnsafeApi.copyMemory(region.address + tableOffset, target.addressOf(targetOffset, length), length);
    }

    @Override
    public void complete()
    {
        // Each READ was carried out as it came.
    }
}
