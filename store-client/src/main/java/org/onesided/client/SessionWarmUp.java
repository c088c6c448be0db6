package org.onesided.client;

import org.agrona.UnsafeApi;
import org.onesided.protocol.table.BucketDescriptor;

/**
 * Fills the mirror by bulk READs of the buckets. Not thread-safe.
 */
final class SessionWarmUp
{
    private final SessionLink link;

    SessionWarmUp(final SessionLink link)
    {
        this.link = link;
    }

    /** Buckets that the mirror took. */
    long run()
    {
        while (true)
        {
            final Attachment attachment = link.attached(WriteFate.NONE);
            try
            {
                return run(attachment, link.longRecord(BucketSweep.CHUNK_LENGTH));
            }
            catch (final AttachmentLostException e)
            {
                link.detach(e.getMessage());
                link.checkDeadline("server was lost (" + e.getMessage() + ") and time is up", WriteFate.NONE);
            }
            catch (final DeadlinePassedException e)
            {
                throw link.deadlinePassed("deadline passed before the buckets were there", WriteFate.NONE);
            }
        }
    }

    private long run(final Attachment attachment, final RegisteredBuffer space)
    {
        final Table table = attachment.table();
        final BucketSweep sweep = new BucketSweep(table);
        long taken = 0;
        while (!sweep.isDone() && table.bucketNumber(sweep.shard(), sweep.index()) < table.mirror().capacity())
        {
            sweep.read(attachment, space, link.counters());
            for (int i = 0; i < sweep.count(); i++)
            {
                final long number = table.bucketNumber(sweep.shard(), sweep.index() + i);
                final long address =
                    space.addressOf((long)i * BucketDescriptor.LENGTH, BucketDescriptor.LENGTH);
                if (number < table.mirror().capacity() &&
                    BucketDescriptor.isLive(UnsafeApi.getLong(address), table.epoch()))
                {
                    table.mirror().refresh(number, address);
                    taken++;
                }
            }
            sweep.advance();
            link.succeeded();
            link.beginStep();
        }
        return taken;
    }
}
