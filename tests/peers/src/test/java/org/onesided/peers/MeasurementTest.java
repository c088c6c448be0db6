package org.onesided.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasurementTest
{
    private static final long COUNT = 100;

    /** Knows each record's value without storing any. */
    private static class Memory implements Subject
    {
        private long gets;
        private long puts;

        @Override
        public void load(final long count, final int valueLength)
        {
            throw new AssertionError("not asked for");
        }

        @Override
        public long get(final long number)
        {
            gets++;
            return Records.firstValueWord(number);
        }

        @Override
        public void put(final long number)
        {
            puts++;
        }

        @Override
        public void close()
        {
            // There is nothing to close.
        }
    }

    private static Map<String, Object> measure(final Subject subject, final String... arguments) throws Exception
    {
        return Measurement.of(new Arguments(arguments), COUNT).run(subject);
    }

    @Test
    void shouldCountOperations() throws Exception
    {
        final Memory memory = new Memory();
        final Object gets = measure(memory, "operation=get", "batch=16", "millis=5", "seed=1").get("operations");
        assertEquals(memory.gets, gets);
        final Object puts = measure(memory, "operation=put", "batch=1", "millis=5", "seed=1").get("operations");
        assertEquals(memory.puts, puts);
        assertTrue(memory.puts > 0);
    }

    @Test
    void shouldCountACallOfManyKeysAsOne() throws Exception
    {
        final Memory memory = new Memory();
        final Object calls =
            measure(memory, "operation=getAll", "keys=64", "batch=1", "millis=5", "seed=1").get("operations");
        assertEquals(memory.gets, 64 * (long)calls);
    }

    @Test
    void shouldRefuseWrongValues()
    {
        final Memory wrong = new Memory()
        {
            @Override
            public long get(final long number)
            {
                return number == 17 ? Records.ABSENT : super.get(number);
            }
        };
        assertThrows(IllegalStateException.class, () ->
            measure(wrong, "operation=get", "batch=1000", "millis=1", "seed=1"));
    }

    @Test
    void shouldRefuseToMeasureNothing()
    {
        assertThrows(IllegalStateException.class, () ->
            Measurement.of(new Arguments("operation=get", "batch=1", "millis=1", "seed=1"), 0));
    }
}
