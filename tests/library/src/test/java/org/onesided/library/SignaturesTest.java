package org.onesided.library;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SignaturesTest
{
    @Test
    void shouldTellOfMethodsThatAreInheritedFromAClassThatIsNotPublic()
    {
        final String name = Options.class.getName();
        assertEquals(
            Set.of("final class " + name, name + ": new()", name + ": int credits()",
                name + ": java.util.List<java.lang.String> names()", name + ": " + name + " credits(int)"),
            Set.copyOf(Signatures.of(Options.class)));
    }

    /** Has what the public type below gives. */
    abstract static class Values
    {
        int credits;

        public int credits()
        {
            return credits;
        }

        public List<String> names()
        {
            return List.of("credits");
        }
    }

    /** A type of an API. */
    public static final class Options extends Values
    {
        /**
         * @param value of credits.
         * @return this.
         */
        public Options credits(final int value)
        {
            credits = value;
            return this;
        }
    }
}
