package org.onesided.conformance;

import static org.onesided.verbs.AttributeMask.*;
import static org.onesided.verbs.QueuePairState.ERR;
import static org.onesided.verbs.QueuePairState.INIT;
import static org.onesided.verbs.QueuePairState.RESET;
import static org.onesided.verbs.QueuePairState.RTR;
import static org.onesided.verbs.QueuePairState.RTS;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.onesided.verbs.QueuePairState;

/**
 * A transition that reliable connected queue pairs have, and the attributes it takes besides STATE.
 */
record Transition(QueuePairState from, QueuePairState to, int required, int optional)
{
    /** The attributes that a mask can name; STATE is left out, since every transition takes it. */
    static final List<Integer> BITS = List.of(
        CUR_STATE, ACCESS_FLAGS, PKEY_INDEX, PORT, AV, PATH_MTU, TIMEOUT, RETRY_CNT, RNR_RETRY, RQ_PSN,
        MAX_QP_RD_ATOMIC, ALT_PATH, MIN_RNR_TIMER, SQ_PSN, MAX_DEST_RD_ATOMIC, PATH_MIG_STATE, CAP, DEST_QPN);

    /** The states that a test can bring a queue pair into. */
    static final List<QueuePairState> STATES = List.of(RESET, INIT, RTR, RTS, ERR);

    private static final int RTS_OPTIONAL = CUR_STATE | ALT_PATH | ACCESS_FLAGS | MIN_RNR_TIMER | PATH_MIG_STATE;

    static final List<Transition> ALL = all();

    static Optional<Transition> find(final QueuePairState from, final QueuePairState to)
    {
        return ALL.stream().filter((t) -> t.from == from && t.to == to).findFirst();
    }

    /**
     * Whether the software devices may leave the transition out: the send queue's draining.
     */
    static boolean isUpToTheDevice(final QueuePairState from, final QueuePairState to)
    {
        return from == RTS && to == QueuePairState.SQD;
    }

    private static List<Transition> all()
    {
        final List<Transition> all = new ArrayList<>();
        all.add(new Transition(RESET, INIT, PKEY_INDEX | PORT | ACCESS_FLAGS, 0));
        all.add(new Transition(INIT, INIT, 0, PKEY_INDEX | PORT | ACCESS_FLAGS));
        all.add(new Transition(
            INIT,
            RTR,
            AV | PATH_MTU | DEST_QPN | RQ_PSN | MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER,
            ALT_PATH | ACCESS_FLAGS | PKEY_INDEX));
        all.add(new Transition(
            RTR, RTS, TIMEOUT | RETRY_CNT | RNR_RETRY | SQ_PSN | MAX_QP_RD_ATOMIC, RTS_OPTIONAL));
        all.add(new Transition(RTS, RTS, 0, RTS_OPTIONAL));
        for (final QueuePairState from : STATES)
        {
            all.add(new Transition(from, RESET, 0, 0));
            if (from != RESET)
            {
                all.add(new Transition(from, ERR, 0, 0));
            }
        }
        return List.copyOf(all);
    }

    @Override
    public String toString()
    {
        return from + "->" + to;
    }
}
