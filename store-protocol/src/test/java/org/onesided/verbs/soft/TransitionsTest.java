package org.onesided.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.onesided.verbs.AttributeMask.*;
import static org.onesided.verbs.QueuePairState.*;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.Errno;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.VerbsException;

class TransitionsTest
{
    private static final int RTS_OPTIONAL = CUR_STATE | ALT_PATH | ACCESS_FLAGS | MIN_RNR_TIMER | PATH_MIG_STATE;

    /** Required in the upper half, optional in the lower one. */
    private final Map<String, int[]> table = new HashMap<>();

    TransitionsTest()
    {
        table.put("RESET INIT", new int[] {PKEY_INDEX | PORT | ACCESS_FLAGS, 0});
        table.put("INIT INIT", new int[] {0, PKEY_INDEX | PORT | ACCESS_FLAGS});
        table.put("INIT RTR", new int[] {
            AV | PATH_MTU | DEST_QPN | RQ_PSN | MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER,
            ALT_PATH | ACCESS_FLAGS | PKEY_INDEX});
        table.put("RTR RTS", new int[] {TIMEOUT | RETRY_CNT | RNR_RETRY | SQ_PSN | MAX_QP_RD_ATOMIC, RTS_OPTIONAL});
        table.put("RTS RTS", new int[] {0, RTS_OPTIONAL});
        for (final QueuePairState from : QueuePairState.values())
        {
            table.put(from + " RESET", new int[] {0, 0});
            if (from != RESET)
            {
                table.put(from + " ERR", new int[] {0, 0});
            }
        }
    }

    @Test
    void shouldTakeExactlyTheTransitionsAndAttributesOfTheTable()
    {
        int allowed = 0;
        for (final QueuePairState from : QueuePairState.values())
        {
            for (final QueuePairState to : QueuePairState.values())
            {
                final int[] masks = table.get(from + " " + to);
                if (masks == null)
                {
                    refuse(from, to, STATE);
                    continue;
                }
                allowed++;
                accept(from, to, masks[0]);
                accept(from, to, masks[0] | STATE | masks[1]);
                for (int bit = 0; bit < Integer.SIZE; bit++)
                {
                    final int attribute = 1 << bit;
                    if ((masks[0] & attribute) != 0)
                    {
                        refuse(from, to, masks[0] & ~attribute);
                    }
                    else if (attribute != STATE && (masks[1] & attribute) == 0)
                    {
                        refuse(from, to, masks[0] | attribute);
                    }
                    else
                    {
                        accept(from, to, masks[0] | attribute);
                    }
                }
            }
        }
        assertEquals(table.size(), allowed);
    }

    private static void accept(final QueuePairState from, final QueuePairState to, final int mask)
    {
        assertDoesNotThrow(() -> Transitions.check(from, to, mask));
    }

    private static void refuse(final QueuePairState from, final QueuePairState to, final int mask)
    {
        final VerbsException refused =
            assertThrows(VerbsException.class, () -> Transitions.check(from, to, mask), from + " " + to + " " + mask);
        assertEquals(Errno.EINVAL, refused.errno());
    }
}
