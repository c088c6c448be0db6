package org.onesided.tools.load.run;

import java.util.SplittableRandom;
import org.onesided.tools.load.workload.InsertedItems;
import org.onesided.tools.load.workload.ItemChooser;
import org.onesided.tools.load.workload.Mix;
import org.onesided.tools.load.workload.OperationType;

/**
 * Operations drawn from a mix and a distribution. For one thread.
 */
final class MixTask implements Task
{
    private final Operations operations;
    private final ThreadRecorder recorder;
    private final PhaseClock clock;
    private final Mix mix;
    private final ItemChooser chooser;
    private final ItemNumbers numbers;
    private final InsertedItems items;
    private final SplittableRandom random;
    private OperationType type;
    private long item;
    private long number;

    MixTask(
        final Operations operations,
        final ThreadRecorder recorder,
        final PhaseClock clock,
        final Mix mix,
        final ItemChooser chooser,
        final ItemNumbers numbers,
        final InsertedItems items,
        final SplittableRandom random)
    {
        this.operations = operations;
        this.recorder = recorder;
        this.clock = clock;
        this.mix = mix;
        this.chooser = chooser;
        this.numbers = numbers;
        this.items = items;
        this.random = random;
    }

    @Override
    public boolean prepare()
    {
        type = mix.draw(random);
        if (type != OperationType.INSERT)
        {
            item = chooser.draw(random);
            number = numbers.of(item);
            operations.item(number);
        }
        return true;
    }

    @Override
    public long perform(final long intendedNs)
    {
        final boolean isDone = switch (type)
        {
            case READ -> read(intendedNs);
            case UPDATE -> operations.put(OperationType.UPDATE, number, intendedNs);
            case INSERT -> insert(intendedNs);
            case READ_MODIFY_WRITE -> readModifyWrite(intendedNs);
        };
        recorder.ended(isDone);
        return operations.endNs();
    }

    private boolean read(final long intendedNs)
    {
        return operations.read(number, numbers.isWritten(item) && !items.isFailed(item), intendedNs);
    }

    /** The item exists from here on, so every begin needs an end. */
    private boolean insert(final long intendedNs)
    {
        final long inserted = items.begin();
        boolean isDone = false;
        try
        {
            final long insertedNumber = numbers.of(inserted);
            operations.item(insertedNumber);
            isDone = operations.put(OperationType.INSERT, insertedNumber, intendedNs);
        }
        finally
        {
            items.end(inserted, isDone);
        }
        return isDone;
    }

    private boolean readModifyWrite(final long intendedNs)
    {
        final long nowNs = clock.nowNs();
        final boolean isRead = read(intendedNs);
        final long startNs = operations.startNs();
        if (!isRead || !operations.put(OperationType.UPDATE, number, intendedNs))
        {
            operations.measureFrom(intendedNs, nowNs);
            recorder.failedPart(OperationType.READ_MODIFY_WRITE, startNs, operations.endNs());
            return false;
        }
        operations.measureFrom(intendedNs, nowNs);
        recorder.done(OperationType.READ_MODIFY_WRITE, intendedNs < 0 ? startNs : intendedNs, startNs,
            operations.endNs());
        return true;
    }
}
