package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A departure that names no rule would go unnoticed.
 */
final class DeparturesTest
{
    @Test
    void shouldNameRulesThatExist() throws ClassNotFoundException
    {
        for (final Departure departure : Departures.ALL)
        {
            final String[] parts = departure.rule().split("\\.");
            assertEquals(2, parts.length, departure.rule());
            final Class<?> rules = Class.forName(getClass().getPackageName() + "." + parts[0]);
            assertEquals(Conformance.class, rules.getSuperclass(), departure.rule());
            final Method[] methods = rules.getDeclaredMethods();
            assertTrue(
                Arrays.stream(methods).anyMatch((m) ->
                    m.getName().equals(parts[1]) && m.isAnnotationPresent(Test.class)), departure.rule());
            assertFalse(departure.reason().isBlank(), departure.rule());
        }
    }

    @Test
    void shouldNameEachDepartureOnce()
    {
        final Set<String> seen = new HashSet<>();
        for (final Departure departure : Departures.ALL)
        {
            assertTrue(seen.add(departure.device() + " " + departure.rule()), departure.toString());
        }
    }
}
