package org.onesided.tools.settings;

import java.util.Locale;

/**
 * Names of the variables that stand in for options: {@code KVCTL_GID_INDEX} for {@code --gid-index}.
 */
public final class Variables
{
    /** The secret itself, where {@code --token-file} and its variable name a file. */
    public static final String TOKEN = "KVCTL_TOKEN";

    private Variables()
    {
    }

    /**
     * Names the variable of an option.
     *
     * @param option its longest name.
     * @return the variable's name.
     */
    public static String of(final String option)
    {
        return "KVCTL_" + option.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
