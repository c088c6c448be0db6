package org.onesided.tools.load.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.tools.load.workload.OperationType;
import org.onesided.tools.settings.BrokenSettingException;

class ClientMessageTest
{
    @Test
    void shouldCarryAnIntervalWhole() throws IOException
    {
        final Interval sent = new Interval(3_000, 1_000);
        sent.part(OperationType.READ).service().recordValue(1_234);
        sent.part(OperationType.READ).service().recordValue(5_000_000_000L);
        sent.part(OperationType.UPDATE).failed().recordValue(77);

        final Interval got = ClientMessage.parse(new ClientMessage(ClientMessage.Kind.INTERVAL, sent).line())
            .body(Interval.class);

        assertEquals(3_000, got.startMs());
        assertEquals(1_000, got.lengthMs());
        assertEquals(sent.parts().keySet(), got.parts().keySet());
        sent.parts().forEach((type, part) -> assertEquals(part, got.part(type)));
        got.part(OperationType.READ).service().recordValue(50_000_000_000L);
    }

    @Test
    void shouldRefuseWhatIsNotOfItsKind() throws IOException
    {
        final ClientMessage message = ClientMessage.parse(new ClientMessage(ClientMessage.Kind.FAILED, "why").line());
        assertEquals("why", message.body(String.class));
        assertThrows(IOException.class, () -> message.body(PhaseEnd.class));
    }

    @Test
    void shouldRefuseClassesThatMessagesDoNotHave()
    {
        final String line =
            new ClientMessage(ClientMessage.Kind.FAILED, new BrokenSettingException("place", "message")).line();
        assertThrows(IOException.class, () -> ClientMessage.parse(line));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hello", "READY", "READY ", "READY !", "READY aGVsbG8=", "NOTHING aGVsbG8="})
    void shouldRefuseOtherLines(final String line)
    {
        assertThrows(IOException.class, () -> ClientMessage.parse(line));
    }
}
