package org.onesided.server.shard.proposal;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.ArrayList;
import java.util.List;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.onesided.server.log.EntryDescriptor;
import org.onesided.server.log.ItemKind;
import org.onesided.server.log.LogListener;
import org.onesided.server.log.ShardLog;

/** A log that takes all proposals, commits none, and notes their items. */
public final class EntriesOfProposals implements ShardLog
{
    /** Items since they were asked for last: kind and session. */
    private final List<String> items = new ArrayList<>();

    /**
     * @return what was proposed since this was asked last.
     */
    public List<String> take()
    {
        final List<String> taken = List.copyOf(items);
        items.clear();
        return taken;
    }

    @Override
    public boolean tryPropose(final DirectBuffer entry, final int offset, final int length)
    {
        int position = EntryDescriptor.HEADER_LENGTH;
        while (position < length)
        {
            final int at = offset + position;
            items.add(ItemKind.of(entry.getByte(at + EntryDescriptor.ITEM_KIND_OFFSET)) + " " +
                entry.getLong(at + EntryDescriptor.ITEM_SESSION_OFFSET, LITTLE_ENDIAN));
            position += EntryDescriptor.ITEM_HEADER_LENGTH + BitUtil.align(
                entry.getInt(at + EntryDescriptor.ITEM_LENGTH_OFFSET, LITTLE_ENDIAN), EntryDescriptor.ITEM_ALIGNMENT);
        }
        return true;
    }

    @Override
    public int poll(final LogListener listener, final int limit)
    {
        return 0;
    }

    @Override
    public void purge(final long index)
    {
    }

    @Override
    public void force()
    {
    }

    @Override
    public long diskBytes()
    {
        return 0;
    }

    @Override
    public void close()
    {
    }
}
