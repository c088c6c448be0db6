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
    private final ReadModifyWrites readModifyWrites;
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
        final ReadModifyWrites readModifyWrites,
        final Mix mix,
        final ItemChooser chooser,
        final ItemNumbers numbers,
        final InsertedItems items,
        final SplittableRandom random)
    {
        this.operations = operations;
        this.recorder = recorder;
        this.readModifyWrites = readModifyWrites;
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
        recorder.ended(switch (type)
        {
            case READ -> outcome(operations.read(number, isWritten(), false, intendedNs));
            case UPDATE -> outcome(operations.put(OperationType.UPDATE, number, intendedNs));
            case INSERT -> outcome(insert(intendedNs));
            case READ_MODIFY_WRITE -> readModifyWrites.perform(number, isWritten(), intendedNs);
        });
        return operations.endNs();
    }

    private static Outcome outcome(final boolean isDone)
    {
        return isDone ? Outcome.DONE : Outcome.FAILED;
    }

    private boolean isWritten()
    {
        return numbers.isWritten(item) && !items.isFailed(item);
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
}
