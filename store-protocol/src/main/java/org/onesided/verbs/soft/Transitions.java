package org.onesided.verbs.soft;

import static org.onesided.verbs.AttributeMask.*;
import static org.onesided.verbs.QueuePairState.ERR;
import static org.onesided.verbs.QueuePairState.INIT;
import static org.onesided.verbs.QueuePairState.RESET;
import static org.onesided.verbs.QueuePairState.RTR;
import static org.onesided.verbs.QueuePairState.RTS;

import org.onesided.verbs.Errno;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.VerbsException;

/**
 * The transitions of a reliable connected queue pair, with the attributes that each needs and allows besides the state
 * itself (ibv_modify_qp(3)).
 */
final class Transitions
{
    private static final int RTS_OPTIONAL = CUR_STATE | ALT_PATH | ACCESS_FLAGS | MIN_RNR_TIMER | PATH_MIG_STATE;

    private Transitions()
    {
    }

    static void check(final QueuePairState from, final QueuePairState to, final int mask)
    {
        final int required = required(from, to);
        final int attributes = mask & ~STATE;
        if (required < 0)
        {
            throw new VerbsException("modify_qp", Errno.EINVAL, "no such transition: from=" + from + " to=" + to);
        }
        if ((required & ~attributes) != 0)
        {
            throw new VerbsException("modify_qp", Errno.EINVAL, String.format(
                "attributes are missing: from=%s to=%s missing=0x%x", from, to, required & ~attributes));
        }
        final int tooMuch = attributes & ~(required | optional(from, to));
        if (tooMuch != 0)
        {
            throw new VerbsException("modify_qp", Errno.EINVAL, String.format(
                "attributes cannot change here: from=%s to=%s attributes=0x%x", from, to, tooMuch));
        }
    }

    private static int required(final QueuePairState from, final QueuePairState to)
    {
        if (to == RESET || to == ERR && from != RESET || from == INIT && to == INIT || from == RTS && to == RTS)
        {
            return 0;
        }
        if (from == RESET && to == INIT)
        {
            return PKEY_INDEX | PORT | ACCESS_FLAGS;
        }
        if (from == INIT && to == RTR)
        {
            return AV | PATH_MTU | DEST_QPN | RQ_PSN | MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER;
        }
        if (from == RTR && to == RTS)
        {
            return TIMEOUT | RETRY_CNT | RNR_RETRY | SQ_PSN | MAX_QP_RD_ATOMIC;
        }
        return -1;
    }

    private static int optional(final QueuePairState from, final QueuePairState to)
    {
        if (from == INIT && to == INIT)
        {
            return PKEY_INDEX | PORT | ACCESS_FLAGS;
        }
        if (from == INIT && to == RTR)
        {
            return ALT_PATH | ACCESS_FLAGS | PKEY_INDEX;
        }
        return to == RTS ? RTS_OPTIONAL : 0;
    }
}
