package org.onesided.client;

import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.verbs.VerbsException;

/**
 * Looks many keys up, in groups whose READs are under way together: while one group is judged, the READs of the next
 * are under way. A key that its group does not settle is looked up by itself. Not thread-safe.
 */
final class SessionBatchGets
{
    /** READs under way when a batch fails get so long to end. */
    private static final long DRAIN_NS = 1_000_000;
    private static final String LATE = "deadline passed before the values were there";

    private final SessionLink link;
    private final SessionGets gets;
    private final Counters counters;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private BatchGroup current = new BatchGroup(1);
    private BatchGroup next = new BatchGroup(2);

    SessionBatchGets(final SessionLink link, final SessionGets gets)
    {
        this.link = link;
        this.gets = gets;
        this.counters = link.counters();
    }

    /**
     * Gives each key's value to the consumer; for an operation that has begun.
     *
     * @param keys of lengths that were checked; a list that is quick to index.
     */
    void run(final List<byte[]> keys, final ValueConsumer consumer)
    {
        final int count = keys.size();
        try
        {
            int staged = stage(current, keys, 0, count);
            int delivered = 0;
            while (delivered < count)
            {
                link.checkDeadline(LATE, WriteFate.NONE);
                staged = stage(next, keys, staged, count);
                await(current);
                for (int i = 0; i < current.size(); i++)
                {
                    deliver(i, delivered + i, consumer);
                }
                delivered += current.size();
                final BatchGroup done = current;
                current = next;
                next = done;
            }
        }
        finally
        {
            link.endReads(DRAIN_NS);
        }
    }

    /** Fills a group and posts its READs; gives back how many keys are in groups by now. */
    private int stage(final BatchGroup group, final List<byte[]> keys, final int first, final int count)
    {
        if (first == count)
        {
            return count;
        }
        int end = first;
        begin(group);
        while (end < count && !group.isFull())
        {
            group.add(keys.get(end++));
        }
        try
        {
            group.post();
        }
        catch (final AttachmentLostException e)
        {
            link.detach(e.getMessage());
        }
        catch (final DeadlinePassedException e)
        {
            throw deadlinePassed();
        }
        return first + group.size();
    }

    private void begin(final BatchGroup group)
    {
        final Attachment attachment = link.attached(WriteFate.NONE);
        try
        {
            group.begin(attachment);
        }
        catch (final VerbsException e)
        {
            throw new StoreLimitException(
                "no memory for many lookups at once, give the device more: " + e.getMessage(),
                link.failure(WriteFate.NONE),
                e);
        }
    }

    private void await(final BatchGroup group)
    {
        if (group.source() == link.attachment())
        {
            try
            {
                group.await();
                link.succeeded();
                return;
            }
            catch (final AttachmentLostException e)
            {
                link.detach(e.getMessage());
            }
            catch (final DeadlinePassedException e)
            {
                throw deadlinePassed();
            }
        }
        group.forget();
    }

    private StoreException deadlinePassed()
    {
        return link.deadlinePassed(LATE, WriteFate.NONE);
    }

    private void deliver(final int i, final int index, final ValueConsumer consumer)
    {
        final BatchGroup.Found found =
            current.source() == link.attachment() ? current.judge(i) : BatchGroup.Found.UNSETTLED;
        switch (found)
        {
            case MIRRORED_RECORD, RECORD ->
            {
                counters.increment(Counters.HITS);
                if (found == BatchGroup.Found.MIRRORED_RECORD)
                {
                    counters.increment(Counters.MIRROR_HITS);
                }
                final RecordReader records = current.source().records();
                view.wrap(records.valueAddress(), records.valueLength());
                consumer.accept(index, view);
            }
            case ABSENT ->
            {
                counters.increment(Counters.MISSES);
                consumer.accept(index, null);
            }
            default -> lookUp(i, index, consumer);
        }
    }

    private void lookUp(final int i, final int index, final ValueConsumer consumer)
    {
        link.key(null, current.keyAddress(i), current.keyLength(i));
        link.nextKey(current.keyLength(i));
        final int length = gets.find();
        if (length == SessionGets.ABSENT)
        {
            consumer.accept(index, null);
        }
        else
        {
            view.wrap(gets.valueAddress(), length);
            consumer.accept(index, view);
        }
    }
}
