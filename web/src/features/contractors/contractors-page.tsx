export const ContractorsPage = () => <h1>Contractors</h1>;
