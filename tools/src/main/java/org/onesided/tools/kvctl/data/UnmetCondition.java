package org.onesided.tools.kvctl.data;

import org.onesided.client.types.Version;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;

/**
 * Tells that the condition of a write did not hold, and which version the key has.
 */
final class UnmetCondition
{
    private UnmetCondition()
    {
    }

    /**
     * @param undone  what was not done, such as {@code not put}.
     * @param key     of the write, as text.
     * @param version of the key, or null if it is absent.
     * @param isOther whether another version was expected.
     */
    static CommandException of(final String undone, final String key, final Version version, final boolean isOther)
    {
        final String state = version == null ? "is absent" : isOther ? "has another version" : "is present";
        return new CommandException(ExitCode.CONFLICT,
            undone + ", the key " + state + ": key=" + key + (version == null ? "" : " version=" + version));
    }
}
