export const CreativesPage = () => <h1>Creatives</h1>;
