package org.onesided.server.raft;

import java.io.Serial;
import org.apache.ratis.protocol.exceptions.StateMachineException;

/**
 * A proposal was made in an earlier term than that in which Ratis would append it. What the shard knew then may be
 * wrong by now. It is not in the log, and the leader goes on.
 */
final class StaleProposalException extends StateMachineException
{
    @Serial
    private static final long serialVersionUID = 1;

    /**
     * @param proposed term of the proposal.
     * @param present  term of the leader.
     */
    StaleProposalException(final long proposed, final long present)
    {
        super("proposal is of an earlier term: proposed=" + proposed + " present=" + present, false);
    }
}
