package org.onesided.server.raft;

import java.util.concurrent.CompletionException;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ReconfigurationInProgressException;
import org.apache.ratis.protocol.exceptions.ReconfigurationTimeoutException;
import org.apache.ratis.protocol.exceptions.SetConfigurationException;

/**
 * The members of a log were not changed; or it is not known whether they were, if leadership was lost meanwhile.
 */
public final class MembersChangeException extends Exception
{
    private static final long serialVersionUID = 1;

    /** What can be done about it. */
    public enum Kind
    {
        /** Another member leads, or is about to: it is to be asked. */
        NOT_LEADING,
        /** Another change is under way, or has just been made: it can be tried again. */
        BUSY,
        /** It cannot be so. */
        REFUSED
    }

    private final Kind kind;

    /**
     * @param kind    of failure.
     * @param message one line.
     * @param cause   or null.
     */
    public MembersChangeException(final Kind kind, final String message, final Throwable cause)
    {
        super(message, cause);
        this.kind = kind;
    }

    /**
     * @return what can be done about it.
     */
    public Kind kind()
    {
        return kind;
    }

    static MembersChangeException notLeading(final Throwable cause)
    {
        return new MembersChangeException(Kind.NOT_LEADING, "another member leads, or is about to", cause);
    }

    /** The members are others than the request says. */
    static MembersChangeException overtaken(final Throwable cause)
    {
        return new MembersChangeException(Kind.BUSY, "another change has just been made", cause);
    }

    /** What Ratis tells. */
    static MembersChangeException of(final Throwable thrown)
    {
        Throwable cause = thrown;
        while (cause instanceof CompletionException && cause.getCause() != null)
        {
            cause = cause.getCause();
        }
        if (cause instanceof NotLeaderException || cause instanceof LeaderNotReadyException ||
            cause instanceof LeaderSteppingDownException)
        {
            return notLeading(cause);
        }
        // Ratis answers a request a moment before it forgets it, and fails so if it is asked in between.
        if (cause instanceof ReconfigurationInProgressException || cause instanceof IllegalStateException)
        {
            return new MembersChangeException(Kind.BUSY, "another change of members is under way", cause);
        }
        if (cause instanceof SetConfigurationException)
        {
            // The only one that can be, as no request of ours replaces most members.
            return overtaken(cause);
        }
        if (cause instanceof ReconfigurationTimeoutException)
        {
            return new MembersChangeException(Kind.REFUSED,
                "the new member did not answer this one, or did not get further, for a minute", cause);
        }
        return new MembersChangeException(Kind.REFUSED, String.valueOf(cause.getMessage()), cause);
    }
}
