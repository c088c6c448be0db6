package org.onesided.tools.load.run;

import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.tools.load.value.ValueCodec;
import org.onesided.tools.load.workload.Workload;

/**
 * Samples a few records, spread over all, to see whether load runs wrote them. For one thread.
 */
final class VerificationProbe
{
    private static final int LOOKS = 16;
    private static final int LEAST_ROOM = 1 << 16;

    private int found;
    private int own;

    VerificationProbe(final Workload workload, final StoreAccess store)
    {
        final UnsafeBuffer key = new UnsafeBuffer(new byte[workload.keyNames().maxLength()]);
        final UnsafeBuffer value = new UnsafeBuffer(new byte[Math.max(LEAST_ROOM, workload.valueLength())]);
        final int looks = (int)Math.min(LOOKS, workload.insertCount());
        try (StoreAccess.Session session = store.open())
        {
            for (int i = 0; i < looks; i++)
            {
                // Includes the first and the last record.
                final long item = looks == 1 ? 0 :
                    Math.round((double)(workload.insertCount() - 1) * i / (looks - 1));
                final int keyLength = workload.keyNames().write(workload.insertStart() + item, key);
                final int length = session.get(key, keyLength, value);
                found += length == StoreAccess.ABSENT ? 0 : 1;
                own += length != StoreAccess.ABSENT && ValueCodec.hasHead(value, length) ? 1 : 0;
            }
        }
    }

    /** Whether to verify values. A few foreign values among many are faults, not a reason to stop verifying. */
    boolean isOwn()
    {
        return 2 * own >= found;
    }

    /** The reason not to verify. */
    String reason()
    {
        return "values are not verified: of " + found + " records looked at, kvctl load wrote " + own;
    }
}
