package org.onesided.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;

/**
 * Where arrows point one way between classes, too: no class uses one that uses it. Nested classes count as the class
 * around them.
 */
final class ClassArrowsTest
{
    private static final JavaClasses SERVER = new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages("org.onesided.server");

    @Test
    void shouldHaveNoCyclesOfClassesInTheServer()
    {
        slices().assignedFrom(new TopLevelClasses()).should().beFreeOfCycles().check(SERVER);
    }

    private static final class TopLevelClasses implements SliceAssignment
    {
        @Override
        public SliceIdentifier getIdentifierOf(final JavaClass javaClass)
        {
            final String name = javaClass.getName();
            final int nested = name.indexOf('$');
            return SliceIdentifier.of(nested < 0 ? name : name.substring(0, nested));
        }

        @Override
        public String getDescription()
        {
            return "top-level classes";
        }
    }
}
