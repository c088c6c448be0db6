package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.CompletionException;
import org.apache.ratis.protocol.exceptions.ReconfigurationInProgressException;
import org.apache.ratis.protocol.exceptions.ReconfigurationTimeoutException;
import org.apache.ratis.protocol.exceptions.SetConfigurationException;
import org.junit.jupiter.api.Test;

class MembersChangeExceptionTest
{
    private static MembersChangeException.Kind kind(final Exception cause)
    {
        return MembersChangeException.of(new CompletionException(cause)).kind();
    }

    /** A client looks again then, and finds members as the other change has left them. */
    @Test
    void shouldCallItBusyWhereAnotherChangeIsMadeOrWasJustMade()
    {
        assertEquals(MembersChangeException.Kind.BUSY, kind(new ReconfigurationInProgressException("in progress")));
        assertEquals(MembersChangeException.Kind.BUSY, kind(new SetConfigurationException("current is different")));
        assertEquals(MembersChangeException.Kind.BUSY, kind(new IllegalStateException("pending != null")));
    }

    @Test
    void shouldRefuseWhatCannotBe()
    {
        assertEquals(MembersChangeException.Kind.REFUSED, kind(new ReconfigurationTimeoutException("no progress")));
        assertEquals(MembersChangeException.Kind.REFUSED, kind(new IllegalArgumentException("no such member")));
    }
}
